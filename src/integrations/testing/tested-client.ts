import {
  describeMistakes,
  isFailing,
  listMistakes,
  type MistakeMode,
  mistakeModes,
} from '../../report/mistake-lines.ts'
import { followRun, type RunUsage } from '../../report/usage.ts'
import { type SimulatorOptions, simulatorOptions } from '../../simulator/options.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { createSweptSimulator } from '../../sweep/swept-run.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import { mergeFindings } from '../../utils/reports/merge-findings.ts'
import type { RequestFinding } from '../../utils/reports/report.ts'
import type { Snapshot } from '../../world/load/load-world.ts'

/** Options for the simulator of a test. */
export interface TestOptions extends SimulatorOptions {
  /**
   * Whether client mistakes are printed at the end, though the test passed, or fail it. Notes never fail. Defaults
   * to `print`
   */
  readonly mistakes?: MistakeMode
}

const testSchema = optionsSchema<TestOptions>({
  ...simulatorOptions,
  mistakes: option.oneOf(mistakeModes),
})

/**
 * What several tests share, such as those of a file: each world as JSON is read once, and each test starts with the rows
 * that were read. The mistakes in tests that passed are printed together.
 */
export class TestGroup {
  readonly #mistakes: RequestFinding[] = []
  readonly #snapshots = new WeakMap<object, Map<string, Snapshot>>()

  create(options: SimulatorOptions): Simulator {
    const { world, profile, settings } = options
    if (typeof world !== 'object' || world === null) return createSimulator(options)
    // The settings decide which rows a world can have.
    const forSettings = JSON.stringify([profile, settings])
    const snapshots = this.#snapshots.get(world) ?? new Map<string, Snapshot>()
    this.#snapshots.set(world, snapshots)
    const read = snapshots.get(forSettings)
    const simulator = createSimulator(read ? { ...options, world: read } : options)
    if (!read) snapshots.set(forSettings, simulator.snapshot())
    return simulator
  }

  /** Adds the client of a test that passed. @internal */
  add({ usage }: TestedClient): void {
    mergeFindings(this.#mistakes, usage.mistakes)
  }

  print(): void {
    printMistakes(this.#mistakes)
  }
}

/** The client of a test, whose requests its own simulator answers. */
export class TestedClient {
  readonly simulator: Simulator
  readonly #mode: MistakeMode
  readonly #usageOf: () => RunUsage

  /** @throws UsageError for an invalid option */
  constructor(testOptions: TestOptions, group: TestGroup = new TestGroup()) {
    checkOptions(testSchema, testOptions, 'create a simulator')
    const { mistakes = 'print', ...options } = testOptions
    this.#mode = mistakes
    this.simulator = createSweptSimulator(options, (swept) => group.create(swept))
    this.#usageOf = followRun(this.simulator)
  }

  /** What the client has used and done wrong so far: nothing wrong with `mistakes: 'off'`. */
  get usage(): RunUsage {
    const usage = this.#usageOf()
    return this.#mode === 'off' ? { ...usage, mistakes: [] } : usage
  }

  /** The error of a test that passed, but for mistakes of its client. Null for none */
  get failure(): Error | null {
    const mistakes = this.#mode === 'fail' ? this.usage.mistakes.filter(isFailing) : []
    if (mistakes.length === 0) return null
    const error = new Error(describeMistakes(mistakes).join('\n'))
    // Its stack leads into this package.
    return Object.assign(error, { stack: `${error.name}: ${error.message}` })
  }
}

/**
 * Prints the client mistakes whose tests passed.
 *
 * @param option how the option is written that fails such tests
 */
export function printMistakes(
  mistakes: RunUsage['mistakes'],
  option = "simulatorOptions: { mistakes: 'fail' }",
): void {
  const lines = listMistakes(mistakes)
  if (lines.length === 0) return
  const setting = mistakes.some(isFailing)
    ? `${option} fails a test with mistakes, and 'off' prints nothing.`
    : "The option mistakes: 'off' prints nothing."
  const hint = `simulator.journal.mistakes() has the requests, and what to do. ${setting}`
  console.warn([...lines, hint].join('\n'))
}
