import type { Scenario } from './scenario.ts'

/** A scenario that is at hand, without its steps. */
export interface ListedScenario {
  /** Of its file, without `.json` */
  readonly name: string
  readonly title: string
  readonly description: string | null
  readonly steps: number
  /** Whether it came with the package, or stands in a folder of the user's own */
  readonly from: 'package' | 'folder'
  /** Why it cannot be replayed; null where it can */
  readonly fault: string | null
}

/** The scenarios that are at hand. */
export interface ScenarioLibrary {
  /** By name, those of the folder first. */
  list(): Promise<ListedScenario[]>
  /** One of them; undefined where there is none. @throws UsageError with every fault of it */
  read(name: string): Promise<Scenario | undefined>
}
