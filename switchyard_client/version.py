"""The version of this package: that of the product that it is built with."""

VERSION = "0.1.0"
