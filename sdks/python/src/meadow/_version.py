"""The version of this package: that of Meadow's packages."""

VERSION = "0.1.0"
