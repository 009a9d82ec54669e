import type { Hypothesis, Run, Script } from './run.ts'

/** Compares what a service answered with what simulators answer to the same requests. */
export interface Judge<Answer, State> {
  readonly script: Script<Answer, State>
  /** The hypotheses that a search starts from */
  readonly start: readonly Hypothesis[]
  /** What may be true of the service besides its settings, by names that begin with `world.` */
  readonly worlds: Readonly<Record<string, readonly string[]>>
  /** Says what may be true, as a clause. */
  describeWorld(name: string, value: string): string
  /** The numbers to try for settings of whole numbers */
  numbersOf(id: string): readonly number[]
  /** How much of an answer of the service a simulator explains. More is better */
  likeness(at: number, run: Run<Answer, State>): Promise<number>
  /** Whether a simulator answers in a way that nothing else can follow from: another status, or other rows. */
  isOther(at: number, run: Run<Answer, State>): Promise<boolean>
  /** Whether an answer of the service is that of one simulator and not that of another. */
  favours(at: number, one: Run<Answer, State>, other: Run<Answer, State>): Promise<boolean>
  /** Whether an answer of the service is not that of one simulator, where this differs from another. */
  contradicts(at: number, one: Run<Answer, State>, other: Run<Answer, State>): Promise<boolean>
  /** The requests from whose answers something may be concluded, if a run is the best explanation. */
  usable(best: Run<Answer, State>): Promise<readonly number[]>
  /** The earlier requests that the answer to a request may depend on. */
  earlier(at: number): readonly number[]
  /** Why a value cannot be told from others although its answers differ, as a sentence. Null if it can */
  doubt(id: string, value: string | number, by: readonly number[]): string | null
}
