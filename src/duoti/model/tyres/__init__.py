"""Tyres: their numbers, property files (.tir) and the public class."""
