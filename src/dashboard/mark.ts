/** The lines of the icon with their colours, in a square of 32, the ones behind first. */
const lines: readonly (readonly [path: string, colour: string])[] = [
  ['M13.5 7.5v8.5a5 5 0 0 0 10 0v-8.5', '#6ed2be'],
  ['M8.5 12v8a5 5 0 0 0 10 0v-8', '#fff'],
]

/** The icon of the dashboard. @note innerHTML would be refused by pages that require trusted types. */
export function createMark(width: number): Element {
  const create = (name: string, attributes: object): Element => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    return element
  }
  const stroke = { fill: 'none', 'stroke-width': '3.2', 'stroke-linecap': 'round' }
  const svg = create('svg', { viewBox: '0 0 32 32', 'aria-hidden': 'true', width, ...stroke })
  svg.append(
    create('rect', { width: '32', height: '32', rx: '8', fill: '#0f8371' }),
    ...lines.map(([d, stroke]) => create('path', { d, stroke })),
  )
  return svg
}
