#!/usr/bin/env python
"""Django's command line."""

from console.manage import main

if __name__ == "__main__":
    main()
