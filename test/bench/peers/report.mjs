// The results of the peers as tables in Markdown.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const at = (name) => fileURLToPath(new URL(name, import.meta.url))
const titles = {
  list: 'same page',
  pages: 'varied pages',
  get: 'get',
  patch: 'patch',
  create: 'create',
}
const operations = Object.keys(titles)

/**
 * Prints a table for each size, and replaces that of the first size in the README of the bench.
 *
 * @param reasons why the README must not have it
 */
export function writeReport(results, { rounds, seconds, load, reasons }) {
  const date = new Date().toISOString().slice(0, 10)
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0].model}`
  const how = `${date}, ${machine}, ${rounds} × ${seconds} s per operation. ${load}`
  console.log(`\n${how}\n\n${toMarkdown(results)}`)
  if (reasons.length > 0) return console.log(`\nThe README stays as it is: ${reasons.join(', ')}.`)
  const readme = at('../README.md')
  const markers = /(<!-- peers -->\n)[\s\S]*?(<!-- end of peers -->)/
  const table = tableOf(results[0].rows, results, () => '–')
  const replace = (_, begin, end) => `${begin}\n${how}\n\n${table}\n\n${end}`
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(markers, replace))
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
  const ofSize = results.filter((result) => result.rows === rows)
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
