"""The pages of the service: complete as they are sent, and brought to life by the modules in `static`.

A route (`routes/`) finds what its page shows, a view model (`views/`) says it in values, and a template (`templates/`)
makes HTML of it. No other module writes markup, but `drawing_svg`, which writes drawings. A page knows no game: what a
table looks like, and which parts a move touches, is said by the game's projection.
"""
