"""`python -m console.cli` is `swy`."""

from console.cli.main import main

if __name__ == "__main__":
    main()
