// The results of the peers as a table in Markdown and as a chart.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { required } from './servers.mjs'

const at = (name) => fileURLToPath(new URL(name, import.meta.url))
const titles = {
  list: 'same page',
  pages: 'varied pages',
  get: 'get',
  patch: 'patch',
  create: 'create',
}
const operations = Object.keys(titles)

/** Prints the table. With `isWhole`, also replaces the table in the README of the bench, and the chart. */
export async function writeReport(results, { rounds, seconds, isWhole, load }) {
  const date = new Date().toISOString().slice(0, 10)
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0].model}`
  const how = `${date}, ${machine}, ${rounds} × ${seconds} s per operation. ${load}`
  const text = `${how}\n\n${toMarkdown(results)}`
  console.log(`\n${text}`)
  if (!isWhole) return console.log('\nSome peers only: the README and the chart stay as they are.')
  const readme = at('../README.md')
  const markers = /(<!-- peers -->\n)[\s\S]*?(<!-- end of peers -->)/
  const image = '![Throughput of each server against a bare node:http server.](peers.svg)'
  const replace = (_, begin, end) => `${begin}\n${image}\n\n${text}\n\n${end}`
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(markers, replace))
  writeFileSync(at('../peers.svg'), await toSvg(results))
}

/** A table for each size, and why numbers are missing. */
export function toMarkdown(results) {
  const notes = []
  const noteOf = (text) => {
    if (!notes.includes(text)) notes.push(text)
    return `– [${notes.indexOf(text) + 1}]`
  }
  const sizes = [...new Set(results.map(({ rows }) => rows))]
  const tables = sizes.map((rows) => tableOf(rows, results, noteOf))
  const list = notes.map((text, index) => `[${index + 1}] ${text}`).join('  \n')
  return [...tables, list].filter(Boolean).join('\n\n')
}

function tableOf(rows, results, noteOf) {
  const ofSize = results.filter((each) => each.rows === rows)
  const floor = ofSize.find(({ name }) => name === 'bare')?.start
  const header = [`${rows.toLocaleString('en')} rows`, ...Object.values(titles), 'start', 'MiB']
  const lines = ofSize.map((result) => {
    if (result.failure) return [result.title, noteOf(`${result.title}: ${result.failure}`)]
    const cells = operations.map((name) => cellOf(result, name, noteOf))
    const start = `${(result.start / floor).toFixed(1)} ×`
    const memory = `${result.atRest.toFixed(0)} → ${result.afterLoad.toFixed(0)}`
    return [result.title, ...cells, start, memory]
  })
  const padded = lines.map((line) => [...line, ...Array(header.length - line.length).fill('')])
  const all = [header, header.map((_, index) => (index === 0 ? '---' : '---:')), ...padded]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function cellOf({ title, wrong, numbers }, name, noteOf) {
  if (wrong[name]) return noteOf(`${title}: ${wrong[name]}`)
  const { ratio, cpu } = numbers[name]
  if (ratio === 0) return noteOf(`${title}: no response within a round`)
  const time = cpu < 1_000 ? `${cpu.toFixed(0)} µs` : `${Number((cpu / 1_000).toPrecision(2))} ms`
  return `${ratio.toPrecision(2)} (${time})`
}

/** A chart with Vega-Lite, which is installed with the peers. */
async function toSvg(results) {
  const [vega, vegaLite] = await Promise.all(
    ['vega', 'vega-lite'].map((name) => import(required.resolve(name))),
  )
  const { spec } = vegaLite.compile(chartOf(results))
  const svg = await new vega.View(vega.parse(spec), { renderer: 'none' }).toSVG()
  return `${svg}\n`
}

/** Texts and dots have a contrast of at least 4 on white and on GitHub's dark page: an image cannot know its page. */
const colors = { text: '#727a83', sizes: ['#1f7aeb', '#bc5a1c'], grid: '#8b949e66' }

/** One row a server, one column an operation, one dot a size. */
export function chartOf(results) {
  const values = results.flatMap(({ title, name, rows, numbers = {} }) =>
    operations
      .filter((operation) => name !== 'bare' && numbers[operation]?.ratio > 0)
      .map((operation) => ({
        server: title,
        operation: titles[operation],
        rows: `${rows.toLocaleString('en')} rows`,
        ratio: Number(numbers[operation].ratio.toPrecision(2)),
      })),
  )
  const color = colors.text
  // The axis begins with a power of ten below the lowest ratio: a dot beside it could not be read.
  const lowest = Math.floor(Math.log10(Math.min(0.1, ...values.map(({ ratio }) => ratio))))
  const powers = Array.from({ length: 1 - lowest }, (_, index) => Number(`1e${lowest + index}`))
  return {
    data: { values },
    title: { text: 'Throughput against a bare node:http server (= 1)', anchor: 'start', color },
    facet: { column: { field: 'operation', sort: Object.values(titles), title: null } },
    spacing: 30,
    spec: {
      width: 110,
      height: { step: 20 },
      mark: { type: 'point', filled: true, size: 60, opacity: 1 },
      encoding: {
        y: { field: 'server', sort: null, title: null, axis: { grid: true } },
        x: {
          field: 'ratio',
          type: 'quantitative',
          scale: { type: 'log', domain: [powers[0], 1.5] },
          axis: {
            title: null,
            values: powers,
            // A label at each second line, because those of all would touch.
            labelExpr: "round(log(datum.value) / LN10) % 2 == 0 ? datum.label : ''",
            format: '~f',
            labelFlush: false,
            labelOverlap: false,
          },
        },
        color: {
          field: 'rows',
          title: null,
          scale: { range: colors.sizes },
          sort: null,
          legend: { orient: 'bottom' },
        },
        shape: { field: 'rows', title: null, sort: null },
      },
    },
    config: {
      aria: false,
      background: null,
      view: { stroke: null },
      header: { labelColor: color, labelFontSize: 12 },
      legend: { labelColor: color, labelFontSize: 11 },
      axis: {
        labelColor: color,
        labelFontSize: 11,
        labelLimit: 220,
        labelPadding: 6,
        ticks: false,
        domain: false,
        gridColor: colors.grid,
      },
    },
  }
}
