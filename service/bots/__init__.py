"""Who plays: programs that choose one of the legal actions from what everybody at the table may know.

Nothing here touches a match. A bot is asked and answers; whoever asked carries the answer out.
"""
