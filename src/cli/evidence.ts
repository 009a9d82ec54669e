import { type Catalogue, createCatalogue } from '../analysis/reasons/catalogue.ts'
import { htmlPage, htmlTable } from '../utils/reports/html.ts'
import { markdownTable } from '../utils/reports/markdown.ts'
import { defineCommand } from './command.ts'

export const evidenceCommand = defineCommand({
  name: 'evidence',
  summary: 'Print all that is known of the API, and how: documented, observed or assumed.',
  flags: {
    '--md': { text: 'print Markdown (default)', conflicts: ['html', 'json'] },
    '--html': { text: 'print an HTML page', conflicts: ['json'] },
    '--json': { text: 'print JSON' },
  },
  help: '\nExample:\n  npx understudy-api evidence --html > evidence.html',
  run(_args, { html }) {
    const catalogue = createCatalogue()
    const tables = toTables(catalogue)
    return { json: catalogue, text: (html ? toHtml(tables) : toMarkdown(tables)).trimEnd() }
  },
})

const title = 'What is known of the API, and how'
const intro =
  'documented: the documentation says so. observed: the live service was seen to do so. assumed: the most likely answer, or one that a robust client tolerates.'

interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function toTables({ documentation, policies, constants }: Catalogue): Table[] {
  const values = policies.flatMap(({ id, question, documented, live, values }) =>
    values.flatMap(({ value, meaning, evidence, source }) => {
      const numbers = [...new Set([documented, live])].filter((each) => typeof each === 'number')
      // A number has a row for each value of a profile.
      const settings = value === 'integer' ? numbers : [value]
      return settings.map((setting) => {
        const profiles = [setting === documented && 'documented', setting === live && 'live']
        const shown = value === 'integer' ? `${setting}, or another number` : value
        const names = profiles.filter(Boolean).join(', ')
        return [id, `${question} ${meaning}`, shown, names, evidence, source]
      })
    }),
  )
  return [
    {
      title: 'Policies',
      columns: ['Policy', 'Answer', 'Setting', 'Profiles', 'Evidence', 'Source'],
      rows: values,
    },
    {
      title: 'Rules that no policy changes',
      columns: ['Rule', 'Sentence', 'Evidence', 'Source'],
      rows: constants.map(({ id, sentence, evidence, source }) => [id, sentence, evidence, source]),
    },
    {
      title: 'Statements of the documentation',
      columns: ['Line', 'Statement', 'Cited by'],
      rows: documentation.map(({ id, text, cited_by }) => [id, text, cited_by.join(', ')]),
    },
  ]
}

function toMarkdown(tables: readonly Table[]): string {
  const sections = tables.map(
    ({ title, columns, rows }) => `## ${title}\n\n${markdownTable(columns, rows)}`,
  )
  return [`# ${title}`, intro, ...sections].join('\n\n')
}

function toHtml(tables: readonly Table[]): string {
  const evidences = ['documented', 'observed', 'assumed']
  const sections = tables.map(({ title, columns, rows }) => {
    const evidenceAt = columns.indexOf('Evidence')
    const toCell = (text: string, index: number) =>
      index === evidenceAt && evidences.includes(text) ? { text, className: text } : text
    return {
      title,
      content: htmlTable(
        columns,
        rows.map((row) => row.map(toCell)),
      ),
    }
  })
  return htmlPage({ title, intro: `<p>${intro}</p>\n`, sections })
}
