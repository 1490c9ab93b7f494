"""Puts the Turkish letters of a font's second file into its first one, so that a Turkish page loads one file per font.

The fonts of the guests' pages (captive/public/assets) come in two files each, as their publisher divides them. Usage:
    python scripts/turkish-letters.py figtree.woff2 figtree-ext.woff2
It needs `pip install fonttools brotli`. It does nothing where the letters are there already.
"""

import sys
from copy import deepcopy

from fontTools.ttLib import TTFont

# Each with the letter whose kerning it takes. The dotless ı is in the first file already.
LETTERS = {"Ğ": "G", "ğ": "g", "İ": "I", "Ş": "S", "ş": "s", "₺": None}


def same_glyph(base, glyph, source):
    """The name of the same drawing in the first file, such as that of the G below the breve of Ğ."""
    for name in base.getGlyphOrder():
        other = base["glyf"][name]
        if glyph.isComposite() or other.isComposite() or other.numberOfContours < 1:
            continue
        if list(other.coordinates) == list(glyph.coordinates) and base["hmtx"][name] == source:
            return name
    return None


def copy_glyph(base, ext, name, copied, whole=False):
    if name in copied:
        return copied[name]
    glyph = deepcopy(ext["glyf"][name])
    same = None if whole else same_glyph(base, glyph, ext["hmtx"][name])
    if same:
        return same
    for part in glyph.components if glyph.isComposite() else []:
        part.glyphName = copy_glyph(base, ext, part.glyphName, copied)
    copied[name] = f"tr{len(copied)}"
    base["glyf"][copied[name]] = glyph
    base["hmtx"][copied[name]] = ext["hmtx"][name]
    if "gvar" in base:
        base["gvar"].variations[copied[name]] = deepcopy(ext["gvar"].variations.get(name, []))
    return copied[name]


def kern_alike(base, alike):
    """The copies are kerned as the letter without the mark. They come last, so the lists stay in the order of the glyphs."""
    for lookup in base["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            pairs = getattr(table, "ExtSubTable", table)
            if pairs.LookupType != 2:
                continue
            for new, old in alike.items():
                if old in pairs.Coverage.glyphs:
                    if pairs.Format == 1:
                        pairs.PairSet.append(deepcopy(pairs.PairSet[pairs.Coverage.glyphs.index(old)]))
                    pairs.Coverage.glyphs.append(new)
                if pairs.Format == 2:
                    for classes in (pairs.ClassDef1.classDefs, pairs.ClassDef2.classDefs):
                        if old in classes:
                            classes[new] = classes[old]
            for new, old in alike.items() if pairs.Format == 1 else []:
                for each in pairs.PairSet:
                    for record in [it for it in each.PairValueRecord if it.SecondGlyph == old]:
                        record = deepcopy(record)
                        record.SecondGlyph = new
                        each.PairValueRecord.append(record)
                    each.PairValueCount = len(each.PairValueRecord)


base, ext = TTFont(sys.argv[1]), TTFont(sys.argv[2])
if ord("Ğ") in base.getBestCmap():
    sys.exit()
if "gvar" in base:
    # It is read now, while it has as many glyphs as the font.
    base["gvar"].variations
from_ext, copied, alike = ext.getBestCmap(), {}, {}
for letter, plain in LETTERS.items():
    # Figtree has no sign of the lira.
    if ord(letter) not in from_ext:
        continue
    name = copy_glyph(base, ext, from_ext[ord(letter)], copied, whole=True)
    for table in base["cmap"].tables:
        table.cmap[ord(letter)] = name
    if plain:
        alike[name] = base.getBestCmap()[ord(plain)]
base.setGlyphOrder(base["glyf"].glyphOrder)
kern_alike(base, alike)
if "GDEF" in base and base["GDEF"].table.GlyphClassDef:
    base["GDEF"].table.GlyphClassDef.classDefs.update({name: 1 for name in copied.values()})
# The widths of every weight are in gvar as well.
if "HVAR" in base:
    del base["HVAR"]
base.flavor = "woff2"
base.save(sys.argv[1])
