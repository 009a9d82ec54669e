import type { Log, ReportingDescriptor, Result } from 'sarif'
import { escapeXml } from '../escape.ts'
import { unexpectedValue } from '../usage-error.ts'
import { version } from '../version.ts'
import {
  type Block,
  type Cell,
  type Finding,
  formatFinding,
  type Item,
  type Paragraph,
  type Report,
  type RuleDescription,
  type TestCase,
  type TestSuite,
} from './report.ts'

/** The printers of reports, by the extensions of files. */
const printers = {
  html: toHtml,
  json: ({ json }: Report): string => `${JSON.stringify(json, null, 2)}\n`,
  md: toMarkdown,
  sarif: toSarif,
  txt: ({ text = '' }: Report): string => text,
  xml: toJunit,
}

/** The extension of a file that a report can be written to. */
export type Extension = keyof typeof printers

/** Prints a report for a file, or for an extension. */
export function printReport(report: Report, file: string): string {
  return printers[extensionOf(file) as Extension](report)
}

function extensionOf(file: string): string {
  return /[^.]*$/.exec(file)?.[0] ?? ''
}

/** @param task completes "Failed to …", such as `read --report` @throws UsageError for another extension */
export function checkExtension(file: string, extensions: readonly Extension[], task: string): void {
  if (file.includes('.') && extensions.includes(extensionOf(file) as Extension)) return
  throw unexpectedValue(task, `a file that ends with one of .${extensions.join(', .')}`, file)
}

function toMarkdown({ title, intro = [], sections }: Report): string {
  const parts = sections.flatMap(({ title, blocks }) => [
    ...(sections.length > 1 ? [`## ${title}`] : []),
    ...blocks.flatMap((block) =>
      'columns' in block ? [markdownTable(block.columns, block.rows)] : [],
    ),
  ])
  return `${[`# ${title}`, ...intro, ...parts].join('\n\n')}\n`
}

/** Texts are escaped, so that no cell ends early and no text becomes an HTML element. */
function markdownTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const toLine = (cells: readonly Cell[]): string => {
    const texts = cells.map((cell) => (typeof cell === 'string' ? cell : cell.text))
    const escaped = texts.map((text) => text.replace(/[|<]/g, '\\$&').replaceAll('\n', ' '))
    return `| ${escaped.join(' | ')} |`
  }
  return [columns, columns.map(() => '---'), ...rows].map(toLine).join('\n')
}

const style = `
  :root { color-scheme: light dark; --ok: light-dark(#18733a, #6fd08c); --bad: light-dark(#b3261e, #ff9a91);
    --doubt: light-dark(#8a5300, #f0b95a); --line: light-dark(#ddd, #3a3d43); }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 2rem;
    background: light-dark(#fff, #16181c); color: light-dark(#1c1e21, #e6e6e6); }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0.25rem; }
  p { margin: 0 0 0.5rem; } code, pre { font: 0.85rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
  ol, ul { list-style: none; margin: 0; padding: 0; }
  li { border-top: 1px solid var(--line); padding: 0.3rem 0; }
  pre { background: light-dark(#f4f4f4, #22252b); margin: 0.3rem 0; padding: 0.6rem; white-space: pre-wrap; }
  .scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } caption { text-align: left; padding: 0.3rem 0; }
  th, td { border-top: 1px solid var(--line); padding: 0.3rem 0.6rem 0.3rem 0; text-align: left; vertical-align: top;
    overflow-wrap: anywhere; }
  th { min-width: 6rem; } th, td[class] { overflow-wrap: normal; } section > p, main > p { max-width: 60rem; }
  .passed b, .ok, .documented { color: var(--ok); } .failed b, .bad, .assumed { color: var(--bad); }
  .observed { color: var(--doubt); }`

/** Prints a report as an HTML page that loads nothing else, for light and dark screens. */
export function toHtml({ title, heading = title, intro = [], sections }: Report): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${style}
</style>
</head>
<body>
<main>
<h1>${escapeXml(heading)}</h1>
${intro.map((text) => `${toParagraph(text)}\n`).join('')}${sections
  .map(
    (section) =>
      `<section>\n<h2>${escapeXml(section.title)}</h2>\n${section.blocks.map(toBlock).join('\n')}\n</section>`,
  )
  .join('\n')}
</main>
</body>
</html>
`
}

function toBlock(block: Block): string {
  if ('paragraph' in block) return toParagraph(block.paragraph)
  if ('columns' in block) return toTable(block.columns, block.rows)
  if ('lines' in block) return toLines(block.lines)
  const name = block.isOrdered ? 'ol' : 'ul'
  return `<${name}>\n${block.items.map(toItem).join('\n')}\n</${name}>`
}

function toParagraph(paragraph: Paragraph): string {
  const parts = [paragraph].flat() as Extract<Paragraph, readonly unknown[]>
  const texts = parts.map((part) => {
    if (typeof part === 'string') return escapeXml(part)
    if ('code' in part) return `<code>${escapeXml(part.code)}</code>`
    return `<span class="${part.tone}">${escapeXml(part.text)}</span>`
  })
  return `<p>${texts.join(' ')}</p>`
}

function toLines(lines: readonly string[]): string {
  return `<pre>${escapeXml(lines.join('\n'))}</pre>`
}

function toItem({ text, word, outcome, lines = [] }: Item): string {
  const parts = [
    ...(text === undefined ? [] : [escapeXml(text)]),
    ...(word === undefined ? [] : [`<b>${escapeXml(word)}</b>`]),
    ...(lines.length === 0 ? [] : [toLines(lines)]),
  ]
  return `<li${outcome === undefined ? '' : ` class="${outcome}"`}>${parts.join(' ')}</li>`
}

/** The first cell of a row is its heading. */
function toTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const head = columns.map((text) => `<th scope="col">${escapeXml(text)}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map(toCell).join('')}</tr>`).join('\n')
  // A narrow window scrolls the table, also by keys.
  return `<div class="scroll" tabindex="0">\n<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>\n</div>`
}

function toCell(cell: Cell, index: number): string {
  const { text, tone } = typeof cell === 'string' ? { text: cell, tone: null } : cell
  if (index === 0) return `<th scope="row">${escapeXml(text)}</th>`
  return `<td${tone === null ? '' : ` class="${tone}"`}>${escapeXml(text)}</td>`
}

/** Prints a report for JUnit, which continuous integration reads. */
export function toJunit({
  title,
  junit: { name, suites } = { name: title, suites: [] },
}: Report): string {
  const lines = suites.map(toSuite).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes({ name })}>\n${lines}\n</testsuites>\n`
}

type Problem = NonNullable<TestCase['problem']>

function toSuite({ name, ms = 0, cases }: TestSuite): string {
  const count = (kind: Problem['kind']): number =>
    cases.filter(({ problem }) => problem?.kind === kind).length
  const suite = attributes({
    name,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: toSeconds(ms),
  })
  return `  <testsuite ${suite}>\n${cases.map(toCase).join('\n')}\n  </testsuite>`
}

function toCase({ name, classname, ms, problem }: TestCase): string {
  const time = ms === undefined ? {} : { time: toSeconds(ms) }
  const content = problem ? toProblem(problem) : ''
  return `    <testcase ${attributes({ name, classname, ...time })}>${content}</testcase>`
}

function toProblem({ kind, message, type, text }: Problem): string {
  const start = `${kind} ${attributes({ message, ...(type !== undefined && { type }) })}`
  return text === undefined ? `<${start}/>` : `<${start}>${escapeText(text)}</${kind}>`
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeText(String(value))}"`)
    .join(' ')
}

const toSeconds = (ms: number): string => (ms / 1000).toFixed(3)

/** Replaces control characters, which XML does not allow, and escapes line breaks, which attributes would lose. */
function escapeText(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
  return escapeXml(allowed).replaceAll('\n', '&#10;')
}

/**
 * Prints a report in the Static Analysis Results Interchange Format (SARIF 2.1.0), which code-scanning services read.
 */
export function toSarif({ sarif }: Report): string {
  const { command = 'understudy', rules = [], findings = [] } = sarif ?? {}
  const ruleIds = rules.map(({ id }) => id)
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'understudy', version, rules: rules.map(toDescriptor) } },
        invocations: [{ commandLine: command, executionSuccessful: true }],
        results: findings.map((finding) => toResult(finding, ruleIds)),
        columnKind: 'utf16CodeUnits',
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function toDescriptor({ id, sentence, cure }: RuleDescription): ReportingDescriptor {
  return {
    id,
    shortDescription: { text: sentence },
    ...(cure !== undefined && { help: { text: cure } }),
  }
}

/** GitHub refuses results without a location. The simulator sees no source of a client, so they name this file. */
const location = { artifactLocation: { uri: 'package.json' }, region: { startLine: 1 } }

function toResult(finding: Finding, ruleIds: readonly string[]): Result {
  const { rule, level, evidence, source } = finding
  const ruleIndex = ruleIds.indexOf(rule)
  return {
    ruleId: rule,
    ...(ruleIndex >= 0 && { ruleIndex }),
    level,
    message: { text: formatFinding(finding).join('\n') },
    locations: [{ physicalLocation: location }],
    ...((evidence ?? source) !== undefined && { properties: { evidence, source } }),
  }
}
