"""The tests of Switchyard."""
