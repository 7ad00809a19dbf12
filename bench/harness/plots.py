# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bars as SVG: how fast each form is, beside the fastest by hand."""

colours = {"plain": "#9aa0a6", "rows": "#5f6b7a", "best": "#2f3b4a", "mpi": "#c98b2b", "O0": "#cfe3f5", "O1": "#9cc7ec",
           "O2": "#5aa2dc", "O3": "#1f6fb5"}
width, left, height, top = 760, 60, 300, 50


def bars(title, groups):
    """groups: [(label, {form: microseconds})]. Bars of speed, the best form by hand = 1; higher is faster."""
    highest = max(value for _, times in groups for value in speeds(times).values())
    scale = (height - top - 40) / highest
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>', f'<text x="{left}" y="18" font-size="14">{title}</text>']
    parts += legend([form for form in colours if any(form in times for _, times in groups)])
    for line in gridLines(highest):
        y = height - 40 - line * scale
        parts += [f'<line x1="{left}" y1="{y:.1f}" x2="{width - 10}" y2="{y:.1f}" stroke="#ddd"/>',
                  f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{line:g}</text>']
    step = (width - left - 10) / len(groups)
    for number, (label, times) in enumerate(groups):
        x = left + number * step
        parts.append(f'<text x="{x + step / 2:.1f}" y="{height - 20}" text-anchor="middle">{label}</text>')
        shown = speeds(times)
        each = min(26, step * 0.9 / len(shown))
        x += (step - each * len(shown)) / 2
        for form, value in shown.items():
            parts.append(f'<rect x="{x:.1f}" y="{height - 40 - value * scale:.1f}" width="{each - 1:.1f}" '
                         f'height="{value * scale:.1f}" fill="{colours[form]}"><title>{form}: {times[form]:.4g} us</title></rect>')
            x += each
    return "\n".join([*parts, "</svg>", ""])


def speeds(times):
    """Of the forms that have a colour, relative to the best by hand."""
    unit = times.get("best") or times.get("rows") or times["O3"]
    return {form: unit / times[form] for form in colours if form in times}


def legend(forms):
    parts = []
    for number, form in enumerate(forms):
        x = left + number * 80
        parts += [f'<rect x="{x}" y="28" width="12" height="12" fill="{colours[form]}"/>', f'<text x="{x + 16}" y="38">{form}</text>']
    return parts


def gridLines(highest):
    step = next(step * 10**power for power in range(-1, 9) for step in (1, 2, 5) if highest / (step * 10**power) <= 8)
    return [k * step for k in range(int(highest / step) + 1)]
