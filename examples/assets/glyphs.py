"""Draws the glyph strips beside this file: printable ASCII of DejaVu Sans Mono, one cell a character, white on black.

python3 glyphs.py FOLDER_OF_TTF_FILES     (needs Pillow)
"""
import pathlib
import sys

from PIL import Image, ImageDraw, ImageFont

FACES = {"head": ("DejaVuSansMono-Bold", 26), "title": ("DejaVuSansMono-Bold", 15), "code": ("DejaVuSansMono", 15), "note": ("DejaVuSansMono", 12)}
TEXT = [chr(c) for c in range(32, 127)]

here = pathlib.Path(__file__).parent
for name, (file, size) in FACES.items():
    font = ImageFont.truetype(str(pathlib.Path(sys.argv[1], file + ".ttf")), size)
    ascent, descent = font.getmetrics()
    width = round(font.getlength("M"))
    strip = Image.new("L", (width * len(TEXT), ascent + descent))
    draw = ImageDraw.Draw(strip)
    for i, letter in enumerate(TEXT):
        draw.text((i * width, 0), letter, font=font, fill=255)
    strip.save(here / f"{name}.png", optimize=True)
