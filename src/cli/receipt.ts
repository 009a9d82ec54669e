import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import * as z from 'zod'
import { profiles } from '../policies/settings.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import type { Target } from '../scenarios/run/target.ts'
import { quoteForShell } from '../utils/escape.ts'
import { unreadableFileError } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { issuesError } from '../utils/issues.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { describeIssues, suggestFields } from '../utils/schema-issues.ts'
import { inspectValue, UsageError } from '../utils/usage-error.ts'
import { version } from '../utils/version.ts'
import { Clock } from '../world/clock/clock.ts'
import { fixtureNames } from '../world/load/read-world.ts'

const receiptVersion = 1

const sha256Schema = z.string().regex(/^[\da-f]{64}$/, {
  error: 'expected a SHA-256 hash as 64 hexadecimal digits',
})
const countSchema = z.int().min(0)

const outcomeSchema = z.strictObject({
  passed: countSchema,
  failed: countSchema,
  skipped: countSchema,
  /** The steps that did not pass. */
  differences: z.array(
    z.strictObject({
      step: z.int().min(1),
      title: z.string(),
      outcome: z.enum(['failed', 'skipped']),
      /** Null if no request was sent. 0 if the connection broke. */
      status: z.int().nullable(),
      /** The parts of the response that differ, such as `body.count`. */
      where: z.array(z.string()),
    }),
  ),
  /** Of all outcomes, statuses and differences; with a frozen clock also of all bodies. */
  sha256: sha256Schema,
})

const receiptSchema = z.strictObject({
  format_version: z.literal(receiptVersion),
  understudy: z.string(),
  command: z.string(),
  /** The flags that change a replay. */
  settings: z.strictObject({
    profile: z.enum(profiles).optional(),
    world: z.string().optional(),
    only: z.string().optional(),
    until: z.string().optional(),
  }),
  runs: z
    .array(
      z.strictObject({
        scenario: z.strictObject({ file: z.string(), sha256: sha256Schema }),
        world: z.strictObject({ sha256: sha256Schema }),
        outcome: outcomeSchema,
      }),
    )
    .min(1),
})

/** What was replayed, and what came of it. The same run gives the same bytes. */
export type Receipt = z.infer<typeof receiptSchema>

export type ReceiptRun = Receipt['runs'][number]

/**
 * Formats a receipt. Its paths are relative to its own folder.
 *
 * @param argv the words of the command line
 * @param file where the receipt is written
 */
export function formatReceipt(
  argv: readonly string[],
  { profile, world, only, until }: Receipt['settings'],
  runs: readonly ReceiptRun[],
  file: string,
): string {
  const isFile = world !== undefined && !fixtureNames.includes(world)
  const receipt: Receipt = {
    format_version: receiptVersion,
    understudy: version,
    command: ['npx understudy-api', ...argv.map(quoteForShell)].join(' '),
    settings: {
      ...(profile !== undefined && { profile }),
      ...(world !== undefined && { world: isFile ? placeBeside(file, world) : world }),
      ...(only !== undefined && { only }),
      ...(until !== undefined && { until }),
    },
    runs: runs.map(({ scenario, ...run }) => ({
      scenario: { ...scenario, file: placeBeside(file, scenario.file) },
      ...run,
    })),
  }
  return `${formatJson(receipt)}\n`
}

/** The path of a file, relative to the folder of another one. Slashes, so that any system reads it. */
function placeBeside(file: string, path: string): string {
  return relative(dirname(resolve(file)), resolve(path))
    .split(sep)
    .join('/')
}

/** The path of a file that a receipt names. @param file the receipt */
export function resolveBeside(file: string, path: string): string {
  return join(dirname(file), path)
}

/** Reads a receipt. @throws UsageError with every issue and its field */
export async function readReceipt(file: string): Promise<Receipt> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadableFileError(file, error)
  })
  const value = parseJsonText(text, file)
  const { format_version: format } = Object(value)
  if (typeof format === 'number' && format > receiptVersion) {
    throw new UsageError(
      `${file} was written by a later version of understudy-api. Update understudy-api ${version}.`,
    )
  }
  const parsed = receiptSchema.safeParse(value, suggestFields)
  if (parsed.success) return parsed.data
  const isReceipt = typeof format === 'number' && Array.isArray(Object(value).runs)
  const issues = isReceipt
    ? describeIssues(parsed.error, value, 'receipt')
    : [
        {
          path: [],
          root: 'receipt',
          text: `expected format_version and runs, got ${inspectValue(value)}`,
        },
      ]
  throw issuesError(
    `${file} is not a valid receipt. npx understudy-api replay FILE --receipt RECEIPT writes one.`,
    issues,
  )
}

/** Follows the replay of a scenario, for its receipt. */
export class RunWitness {
  readonly #file: string
  readonly #scenario: Scenario
  readonly #sha256: string
  #world = ''

  /** @param text the content of the file */
  constructor(file: string, text: string, scenario: Scenario) {
    this.#file = file
    this.#scenario = scenario
    this.#sha256 = hashTexts([text])
  }

  /** Hashes the rows that the replay starts with, and its keys. */
  async start(target: Pick<Target, 'world'>): Promise<void> {
    this.#world = hashTexts((await target.world()) ?? [])
  }

  finish(result: ReplayResult): ReceiptRun {
    return {
      scenario: { file: this.#file, sha256: this.#sha256 },
      world: { sha256: this.#world },
      outcome: toOutcome(result, this.#scenario),
    }
  }
}

function hashTexts(texts: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex')
}

/** Summarizes a replay. Bodies have times, so they count only if the scenario freezes its clock. */
function toOutcome(result: ReplayResult, scenario: Scenario): ReceiptRun['outcome'] {
  const isRepeatable = hasFrozenClock(scenario)
  const hash = createHash('sha256')
  for (const step of result.steps) {
    const { outcome, response } = step
    hash.update(JSON.stringify([outcome, statusOf(step), whereOf(step)]))
    if (isRepeatable) hash.update(response?.text ?? '')
  }
  const count = (outcome: StepResult['outcome']): number =>
    result.steps.filter((step) => step.outcome === outcome).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    differences: result.steps.flatMap((step) => {
      const { step: number, title, outcome } = step
      if (outcome !== 'failed' && outcome !== 'skipped') return []
      return { step: number, title, outcome, status: statusOf(step), where: whereOf(step) }
    }),
    sha256: hash.digest('hex'),
  }
}

function statusOf({ response }: StepResult): number | null {
  return response?.status ?? null
}

function whereOf({ differences }: StepResult): string[] {
  return differences.map(({ where }) => where)
}

function hasFrozenClock({ clock, steps }: Scenario): boolean {
  const changes = steps.flatMap((step) => ('clock' in step ? [step.clock] : []))
  return (
    clock !== undefined && [clock, ...changes].every((each) => new Clock(each).mode === 'frozen')
  )
}
