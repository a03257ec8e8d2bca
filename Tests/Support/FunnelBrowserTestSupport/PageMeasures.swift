/// What a browser shows of a page with all its details opened.
package struct PageMeasures: Decodable, Sendable {
    /// The width of the viewport.
    package let width: Int
    /// The width of the page, which is greater where something overflows. A scroll bar may take some of the width.
    package let contentWidth: Int
    /// The elements beyond the viewport that are not in a box that scrolls by itself.
    package let overflowing: [String]
    /// The pairs of texts of a chart of which one hides another.
    package let overlappingTexts: [String]
    /// The number of scripts.
    package let scripts: Int
    /// The number of images.
    package let images: Int
    /// The titles of the charts.
    package let charts: [String]
    /// The first cells of the tables' rows.
    package let values: [String]
    /// The accessible names that the tables' boxes have.
    package let tables: [String]
    /// The contrasts of texts that are below 4.5, or below 3 for great texts, each with its text.
    package let faintTexts: [String]
    /// Other mistakes of the markup: fields without a label, cells without a header, headings that skip a level.
    package let mistakes: [String]
}

extension BrowserTab {
    /// Measures the page that is open.
    package func measures() throws -> PageMeasures {
        try value(of: "(\(Self.measureScript))()")
    }

    private static let measureScript = """
        () => {
          const width = innerWidth, all = (selector, root) => [...(root || document).querySelectorAll(selector)]
          all('details').forEach(details => details.open = true)
          const shown = all('body *').filter(e => e.getClientRects().length)
          const short = e => e.tagName + '.' + (e.getAttribute('class') || '') + ' ' + e.textContent.trim().slice(0, 40)
          const overflowing = shown.filter(e => !e.closest('.scroll') && !e.closest('defs'))
            .filter(e => { const r = e.getBoundingClientRect(); return r.right > width + 1 || r.left < -1 }).map(short)
          const overlappingTexts = []
          for (const chart of all('svg[role=img]')) {
            const texts = all('text', chart).map(t => [t.textContent, t.getBoundingClientRect()])
            texts.forEach(([a, r], i) => texts.slice(i + 1).forEach(([b, s]) => {
              if (r.left < s.right && s.left < r.right && r.top < s.bottom - 2 && s.top < r.bottom - 2)
                overlappingTexts.push(a + ' | ' + b)
            }))
          }
          // Contrast by WCAG 2.2.
          const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number)
          const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
          const background = e => {
            for (; e; e = e.parentElement) {
              const color = rgb(getComputedStyle(e).backgroundColor)
              if (color.length === 3 || color[3] === 1) return color
            }
            return [255, 255, 255]
          }
          const faintTexts = shown
            .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
            .map(e => {
              const style = getComputedStyle(e), isChart = e.closest('svg')
              const lights = [light(rgb(isChart ? style.fill : style.color)), light(background(e))].sort((a, b) => b - a)
              const contrast = (lights[0] + 0.05) / (lights[1] + 0.05)
              const size = parseFloat(style.fontSize), isGreat = size >= 24 || size >= 18.66 && style.fontWeight >= 700
              return contrast < (isGreat ? 3 : 4.5) ? contrast.toFixed(2) + ' ' + short(e) : ''
            }).filter(text => text)
          const mistakes = [
            ...all('input,select,textarea').filter(e => !e.labels.length && !e.getAttribute('aria-label'))
              .map(e => 'no label: ' + e.outerHTML),
            ...all('table').filter(e => !all('thead th[scope=col]', e).length).map(e => 'no column header: ' + short(e)),
            ...all('tbody tr').filter(e => !all('th[scope=row],th[scope=rowgroup]', e).length).map(e => 'no row header: ' + short(e)),
            ...all('a,button').filter(e => !e.textContent.trim()).map(e => 'no text: ' + e.outerHTML),
            ...all('nav').filter(e => !e.getAttribute('aria-label')).map(e => 'no name: ' + short(e)),
            ...all('[aria-labelledby]').filter(e => e.getAttribute('aria-labelledby').split(' ')
              .some(id => !document.getElementById(id))).map(e => 'no such label: ' + short(e)),
            ...all('[id]').map(e => e.id).filter((id, i, ids) => ids.indexOf(id) !== i).map(id => 'id twice: ' + id),
            ...(document.documentElement.lang ? [] : ['no language']), ...(document.title ? [] : ['no title']),
            ...(all('h1').length === 1 ? [] : ['not one h1']), ...(all('main').length === 1 ? [] : ['not one main'])
          ]
          all('h1,h2,h3,h4').map(e => +e.tagName[1]).reduce((before, level) => {
            if (level > before + 1) mistakes.push('heading of level ' + level + ' after ' + before)
            return level
          }, 0)
          return {
            width, contentWidth: document.documentElement.scrollWidth, overflowing, overlappingTexts,
            scripts: document.scripts.length, images: document.images.length,
            charts: all('svg[role=img]')
              .map(c => c.getAttribute('aria-label') || (c.querySelector('title') || { textContent: '' }).textContent),
            values: all('tbody th').map(e => e.textContent),
            tables: all('.scroll').map(e => e.getAttribute('aria-label') || ''), faintTexts, mistakes
          }
        }
        """
}
