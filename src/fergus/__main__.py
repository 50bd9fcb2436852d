"""``python -m fergus``: the command line."""

from fergus.cli.main import main

if __name__ == "__main__":
    main()
