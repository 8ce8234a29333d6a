"""The pages of the service: complete as they are sent, and brought to life by the modules in `static`.

A page knows no game. Whatever a table looks like, and which parts a move touches, is said by the game's projection.
"""
