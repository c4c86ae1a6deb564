import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { readLogo } from './read-logo.ts'
import { sanitiseSvg } from './sanitise-svg.ts'
import { UnusableLogo } from './unusable-logo.ts'

const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 120 40"${attributes}>${inner}</svg>`
const RECT = '<rect width="120" height="40" fill="#17513f"/>'

/** What no logo may contain, however it is written. */
const FORBIDDEN =
  /<(?:\w+:)?(?:script|foreignObject|image|style|animate|set|iframe|object|embed|handler|feImage|filter|a)\b|\son\w+=|javascript|data:|https?:(?!\/\/www\.w3\.org\/2000\/svg")|evil|@import|<!|<\?|expression|url\((?!#)/i

const HOSTILE: Readonly<Record<string, string>> = {
  script: svg(`<script>evil()</script>${RECT}`),
  'script in capitals': svg(`<SCRIPT>evil()</SCRIPT>${RECT}`),
  'script with a prefix': svg(
    `<svg:script xmlns:svg="http://www.w3.org/2000/svg">evil()</svg:script>${RECT}`,
  ),
  'script in CDATA': svg(`<script><![CDATA[evil()]]></script>${RECT}`),
  'script of another host': svg(`<script href="https://evil.example/x.js"/>${RECT}`),
  'event handler on the root': svg(RECT, ' onload="evil()"'),
  'event handler in capitals': svg('<rect width="1" height="1" ONCLICK="evil()"/>'),
  'event handler with an entity': svg('<rect width="1" height="1" onclick="&#101;vil()"/>'),
  foreignObject: svg(
    `<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="https://evil.example"/></body></foreignObject>${RECT}`,
  ),
  'picture of another host': svg(
    `<image href="https://evil.example/pixel.png" width="1" height="1"/>${RECT}`,
  ),
  'embedded SVG': svg(`<image xlink:href="data:image/svg+xml;base64,PHN2Zy8+" width="1" height="1"/>${RECT}`),
  'use of another file': svg(
    `<use href="https://evil.example/a.svg#x"/><use xlink:href="evil.svg#x"/>${RECT}`,
  ),
  'use of data': svg(`<use href="data:image/svg+xml,%3Csvg id='x'/%3E#x"/>${RECT}`),
  'javascript link': svg(`<a href="javascript:evil()">${RECT}</a>`),
  'javascript link with a line break': svg(`<a xlink:href="java&#10;script:evil()">${RECT}</a>`),
  'style import': svg(`<style>@import url(https://evil.example/a.css);</style>${RECT}`),
  'style url': svg(`<style>rect{fill:url(https://evil.example/a.svg#b)}</style>${RECT}`),
  'style url with an escape': svg(`<style>rect{fill:u\\72l(https://evil.example/a)}</style>${RECT}`),
  'style attribute': svg(
    '<rect width="1" height="1" style="background:url(https://evil.example/a);fill:red"/>',
  ),
  'paint of another file': svg('<rect width="1" height="1" fill="url(https://evil.example/a.svg#b)"/>'),
  'mask of another file': svg('<g mask="url(https://evil.example/a.svg#b)"><path d="M0 0h9"/></g>'),
  'animation of a link': svg(`<a><animate attributeName="href" values="javascript:evil()"/>${RECT}</a>`),
  'set of a handler': svg(`<set attributeName="onmouseover" to="evil()"/>${RECT}`),
  'filter with a picture': svg(`<filter id="f"><feImage href="https://evil.example/a"/></filter>${RECT}`),
  handler: svg(
    `<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">evil()</handler>${RECT}`,
  ),
  'style sheet instruction': `<?xml-stylesheet href="https://evil.example/a.css"?>${svg(RECT)}`,
  'DOCTYPE of another host': `<!DOCTYPE svg SYSTEM "https://evil.example/a.dtd">${svg(RECT)}`,
  'script that a comment hides': svg(`<!-- --><script>evil()</script><!-- -->${RECT}`),
  'markup in a title': svg(`<title>&lt;script&gt;evil&lt;/script&gt;</title>${RECT}`.replaceAll('evil', 'x')),
  'markup in CDATA of a text': svg(`<text><![CDATA[</text><script>x</script>]]></text>${RECT}`),
  'quote in an attribute': svg(`<rect width="1" height="1" id='a" onload="evil()'/>${RECT}`),
  'XHTML namespace': svg(`<g xmlns="http://www.w3.org/1999/xhtml"><script>evil()</script></g>${RECT}`),
}

test('a hostile SVG keeps only the parts that draw, and sanitising it again changes nothing', () => {
  for (const [name, text] of Object.entries(HOSTILE)) {
    const { svg: safe, width, height } = sanitiseSvg(text)
    assert.doesNotMatch(safe, FORBIDDEN, `${name}: ${safe}`)
    assert.match(safe, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/, name)
    assert.deepEqual([width, height], [120, 40], name)
    assert.equal(sanitiseSvg(safe).svg, safe, `${name}: the same again`)
    assert.deepEqual(sanitiseSvg(safe).removed, [], name)
  }
  assert.ok(Object.keys(HOSTILE).length >= 30)
})

test('what was left out is named; what editors add for themselves is not', () => {
  assert.deepEqual(sanitiseSvg(HOSTILE.script as string).removed, ['<script>'])
  assert.deepEqual(sanitiseSvg(HOSTILE['event handler on the root'] as string).removed, ['onload'])
  const inkscape = svg(
    `<metadata><rdf:RDF/></metadata><sodipodi:namedview id="v"/><g inkscape:label="Layer" data-name="x">${RECT}</g>`,
    ' version="1.1" xml:space="preserve"',
  )
  assert.deepEqual(sanitiseSvg(inkscape).removed, [])
})

test('logos as Illustrator, Figma and Sketch write them keep their looks', () => {
  const illustrator = svg(
    '<defs><style>.cls-1,.cls-2{fill:#fff;}.cls-2{stroke:url("#g");}</style><linearGradient id="g"><stop offset="0" stop-color="#000"/></linearGradient></defs><switch><foreignObject/><g><path class="cls-1" d="M0 0h9v9z"/><path class="cls-2" d="M9 9h9"/></g></switch>',
  )
  const { svg: safe, removed } = sanitiseSvg(illustrator)
  assert.match(safe, /<path d="M0 0h9v9z" fill="#fff"\/>/)
  assert.match(safe, /<path d="M9 9h9" fill="#fff" stroke="url\(#g\)"\/>/)
  assert.deepEqual(removed, ['<foreignObject>'])

  const figma = svg(
    '<g clip-path="url(#c)"><path d="M0 0h9" fill="rgb(0, 128, 0)"/></g><defs><clipPath id="c"><rect width="120" height="40" fill="white"/></clipPath></defs>',
    ' fill="none"',
  )
  assert.match(
    sanitiseSvg(figma).svg,
    /<g clip-path="url\(#c\)"><path d="M0 0h9" fill="rgb\(0, 128, 0\)"\/><\/g>/,
  )

  const sketch = svg(
    '<defs><path id="p" d="M0 0h9"/></defs><mask id="m"><use xlink:href="#p"/></mask><use xlink:href="#p"/>',
  )
  assert.equal(sanitiseSvg(sketch).svg.match(/<use href="#p"\/>/g)?.length, 2)
})

test('references that double with each step are left out', () => {
  const steps = Array.from(
    { length: 30 },
    (_, n) => `<g id="a${n + 1}"><use href="#a${n}"/><use href="#a${n}"/></g>`,
  )
  const { svg: safe, removed } = sanitiseSvg(
    svg(`<path id="a0" d="M0 0"/>${steps.join('')}<use href="#a30"/>`),
  )
  assert.equal(safe.match(/<use/g)?.length, 2, 'the first step alone refers to no other use')
  assert.deepEqual(removed, ['<use>'])
  const self = svg('<mask id="m"><g id="g" mask="url(#m)"><path d="M0 0"/></g></mask><g mask="url(#m)"/>')
  assert.doesNotMatch(sanitiseSvg(self).svg, /<g id="g" mask/)
})

test('an SVG whose small parts multiply is refused at once', () => {
  const atMs = performance.now()
  const shapes = '<g/>'.repeat(2_900)
  const selectors = (count: number) => Array.from({ length: count }, (_, n) => `.a${n}`)
  const classes = `<g class="${selectors(40).join(' ').replaceAll('.', '')}"/>`.repeat(2_900)
  const [masked, thousand] = ['<path mask="url(#m)"/>'.repeat(1_000), '<path/>'.repeat(1_000)]
  const cases: [string, string, RegExp][] = [
    ['rules of one element', `<style>${'g{fill:red;color:red}'.repeat(200)}</style>${shapes}`, /too complex/],
    [
      'rules of many classes',
      `<style>${selectors(200)}{fill:red;color:red}</style>${classes}`,
      /too complex/,
    ],
    ['a long value', `<style>g{fill:${'a'.repeat(19_000)}}</style>${shapes}`, /too complex/],
    ['shapes with a mask', `<mask id="m">${thousand}</mask>${masked}`, /too complex/],
    [
      'uses of shapes with a mask',
      `<mask id="m">${'<path/>'.repeat(50)}</mask><g id="g">${'<path mask="url(#m)"/>'.repeat(50)}</g>${'<use href="#g"/>'.repeat(50)}`,
      /too complex/,
    ],
  ]
  for (const [name, inner, expected] of cases) {
    assert.throws(() => sanitiseSvg(svg(inner)), expected, name)
  }
  const repeated = `<style>${'g,'.repeat(199)}g{${'x:;'.repeat(6_400)}}</style>${shapes}`
  assert.doesNotMatch(sanitiseSvg(svg(repeated)).svg, / x=/, 'a repeated selector counts once')
  const nested = `${'<g>'.repeat(55)}</g>`.replace('</g>', '</g>'.repeat(55)).repeat(50)
  assert.equal(sanitiseSvg(svg(nested)).svg.match(/<g/g)?.length, 2_750)
  const loop = '<mask id="m" mask="url(#m)"><path/></mask><g mask="url(#m)"/>'
  assert.match(sanitiseSvg(svg(loop)).svg, /<g mask/)
  assert.ok(performance.now() - atMs < 10_000, 'applying each rule to each element would take minutes')
})

test('files that cannot be a logo are refused with what to do', () => {
  const png = (width: number, height: number) => pngOf(width, height)
  const cases: [string, Buffer | string, RegExp][] = [
    ['nothing', '', /empty/],
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /not a PNG or an SVG/],
    ['HTML', '<html><body>svg</body></html>', /not a PNG or an SVG/],
    ['HTML around an SVG', `<html>${svg(RECT)}</html>`, /not an SVG/],
    ['an SVG that is cut off', svg(RECT).slice(0, -10), /damaged/],
    ['entities of its own', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg(RECT)}`, /Plain SVG/],
    ['no size', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>', /no size/],
    ['too narrow', '<svg viewBox="0 0 1000 20"/>', /too narrow/],
    ['too deep', svg(`${'<g>'.repeat(100)}${'</g>'.repeat(100)}`), /too complex/],
    ['too many', svg('<g/>'.repeat(4_000)), /too complex/],
    ['too long', svg(`<path d="${'M0 0'.repeat(20_000)}"/>`), /at most 48 KB/],
    ['a large PNG', png(4_000, 1_000), /4000 × 1000 pixels/],
    ['a tiny PNG', png(10, 10), /too small/],
    ['a damaged PNG', png(100, 100).subarray(0, 30), /damaged/],
  ]
  for (const [name, file, expected] of cases) {
    assert.throws(
      () => readLogo(Buffer.from(file as string)),
      (error) => error instanceof UnusableLogo && expected.test(error.message),
      name,
    )
  }
  assert.equal(readLogo(png(200, 50)).mediaType, 'image/png')
})

test('text around and inside an SVG never becomes more than its rules allow', () => {
  const piece = fc.constantFrom(
    ...[
      '<g>',
      '</g>',
      '<script>',
      '</script>',
      '<style>',
      '</style>',
      '<a href="javascript:evil()">',
      '</a>',
    ],
    ...[
      'evil()',
      '"',
      "'",
      '>',
      '<',
      '&lt;',
      ']]>',
      '<![CDATA[',
      '<!--',
      '-->',
      ' onload="evil()"',
      '<use href="#x"/>',
    ],
    ...['<path d="M0 0" onclick=evil()>', '<rect id="x" fill="url(https://evil)"/>', '<text>', '</text>'],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      let safe: string
      try {
        safe = sanitiseSvg(svg(pieces.join(''))).svg
      } catch (error) {
        assert.ok(error instanceof UnusableLogo, String(error))
        return
      }
      // Text may say anything; tags may not.
      const tags = safe.match(/<[^>]*>/g)?.join('') ?? ''
      assert.doesNotMatch(tags, FORBIDDEN, safe)
      assert.equal(sanitiseSvg(safe).svg, safe)
    }),
    { numRuns: 3_000 },
  )
})

function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const chunk = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.from([0])),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
