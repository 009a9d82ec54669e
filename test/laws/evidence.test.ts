import { expect, onTestFinished, test } from 'vitest'
import type { Reason, ResponseReasons } from '../../src/analysis/reasons/response-reasons.ts'
import type { RunReport } from '../../src/analysis/report/report-schema.ts'
import { policyVariants } from '../../src/analysis/variants/variant.ts'
import { policyIds } from '../../src/policies/setting-ranges.ts'
import { listen } from '../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import {
  type Answer,
  explainAnswer,
  readAnswers,
  startSimulator,
  tables,
} from '../analysis/reasons/truth/answers.ts'
import { run } from '../support/cli/command.ts'
import { callTool, connectMcp } from '../support/control/mcp-client.ts'

interface Claim {
  readonly evidence: string
  readonly source: string
}

/** The reasons that a tool tells: each rule once. */
interface ToldReasons {
  readonly decided_by: string
  readonly rules: readonly Reason[]
}

interface Catalogue {
  readonly policies: readonly {
    readonly id: string
    readonly values: readonly (Claim & { readonly value: string })[]
  }[]
  readonly constants: readonly (Claim & { readonly id: string })[]
}

const claimOf = ({ evidence, source }: Claim): string => `${evidence}: ${source}`

/** What the evidence page says of each value and each constant. */
async function readCatalogue(): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await run(['evidence', '--json'])
  const { policies, constants }: Catalogue = JSON.parse(stdout)
  return new Map([
    ...policies.flatMap(({ id, values }) =>
      values.map((value) => [`${id}=${value.value}`, claimOf(value)] as const),
    ),
    ...constants.map((constant) => [constant.id, claimOf(constant)] as const),
  ])
}

const idOf = ({ id, setting }: Reason): string => (setting === undefined ? id : `${id}=${setting}`)

const listReasons = ({ decided_by, policies, fields, headers, request_fields }: ResponseReasons) =>
  [
    decided_by,
    ...policies,
    ...[fields, headers, request_fields].flatMap((reasons) => Object.values(reasons)),
  ] as const

/** What a report says otherwise than the reasons of the last response, or not at all. */
function listContradictions(report: RunReport, { decided_by, policies }: ResponseReasons) {
  const policyItems = policies.map((reason) => ({
    reason,
    item: report.policies.find(
      ({ name, exercised }) => name === reason.id && (exercised || reason.id !== decided_by.id),
    ),
  }))
  const operation = report.operations.find(({ name }) => `operation.${name}` === decided_by.id)
  return [...policyItems, ...(operation ? [{ reason: decided_by, item: operation }] : [])]
    .filter(({ reason, item }) => item === undefined || claimOf(item) !== claimOf(reason))
    .map(({ reason, item }) => `${idOf(reason)}: ${claimOf(reason)}, report: ${item?.evidence}`)
}

const columnsOf = ({ line }: Answer): readonly string[] =>
  line.split('|').map((column) => column.trim())

/** The last answer of each group. */
function sample(groupOf: (columns: readonly string[]) => string): ReadonlySet<string> {
  const answers = tables.flatMap(readAnswers)
  return new Set(
    new Map(answers.map((answer) => [groupOf(columnsOf(answer)), answer.line])).values(),
  )
}

/** An answer of each rule, and of each evidence for it. */
const perRule = sample(([, , , , rule, evidence]) => `${rule} ${evidence}`)

/** An answer of each kind of rule, such as `keys` or `check`, and of each evidence. */
const perKind = sample(([, , , , rule = '', evidence]) => `${rule.split('.')[0]} ${evidence}`)

test.each(tables)(
  'each reason in %s has the evidence of the catalogue and of the report',
  async (table) => {
    const catalogue = await readCatalogue()
    const wrong: string[] = []

    for (const answer of readAnswers(table).filter(({ line }) => perRule.has(line))) {
      const simulator = await startSimulator(answer)
      const reasons = await explainAnswer(simulator, answer)
      const report = await simulator.report()
      const otherwise = listReasons(reasons)
        .filter((reason) => catalogue.has(idOf(reason)))
        .filter((reason) => catalogue.get(idOf(reason)) !== claimOf(reason))
        .map(idOf)
      const documentedErrors = report.statuses
        .filter(({ name, evidence }) => Number(name) >= 400 && evidence === 'documented')
        .map(({ operation, name }) => `report: ${operation} ${name}`)
      const differences = [
        ...otherwise,
        ...documentedErrors,
        ...listContradictions(report, reasons),
      ]
      wrong.push(...differences.map((difference) => `${answer.line}: ${difference}`))
    }

    expect(wrong).toEqual([])
  },
)

test('a sweep gives each value the evidence of the catalogue', async () => {
  const catalogue = await readCatalogue()

  const variants = policyVariants(policyIds, createSimulator().policies.settings)

  const listed = variants.filter(({ id }) => catalogue.has(id))
  expect(listed.length).toBeGreaterThan(70)
  expect(listed.map((variant) => `${variant.id}: ${claimOf(variant)}`)).toEqual(
    listed.map(({ id }) => `${id}: ${catalogue.get(id)}`),
  )
})

test.each(tables)(
  'explain, the control API and a tool give the same reasons in %s',
  async (table) => {
    for (const answer of readAnswers(table).filter(({ line }) => perKind.has(line))) {
      const simulator = await startSimulator(answer)
      const reasons = await explainAnswer(simulator, answer)

      const [served, told] = await askServer(simulator, reasons.entry)

      expect(served).toEqual(reasons)
      expect(told.rules.find(({ id }) => id === told.decided_by)).toEqual(reasons.decided_by)
    }
  },
)

/** The reasons of a response, from the control API, which the dashboard reads, and from the tool for agents. */
async function askServer(simulator: Simulator, id: number) {
  const server = await listen(simulator)
  onTestFinished(() => server.close())
  const response = await fetch(`${server.url}/__admin/journal/${id}/reasons`)
  const told = await callTool(await connectMcp(server.url), 'explainEntry', { id })
  return [await response.json(), told as ToldReasons] as const
}
