"""`python -m matchledger` is the command line."""

from matchledger import main

if __name__ == "__main__":
    main()
