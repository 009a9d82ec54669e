import type { RequestHandler } from 'msw'
import { optionNames, type SimulatorOptions } from '../../sandbox/simulator-options.ts'
import type { PartialWorldJson } from '../../world/factories/partial-rows.ts'
import type { BuiltInWorld } from '../../world/load/build-world.ts'

/**
 * Where a page keeps its world: `tab`, in the `sessionStorage` of the tab, so that each tab has a world of its own,
 * until it is closed; `shared`, in the `localStorage` of the origin, so that all tabs see one world, which stays;
 * `none`, nowhere: a reload begins anew.
 */
export type Persist = 'tab' | 'shared' | 'none'

/** How a page begins to be answered. */
export interface BrowserOptions extends Omit<SimulatorOptions, 'world'> {
  /** A built-in world by name, or one as JSON, which may leave rows to the factories; `default` when missing. */
  readonly world?: BuiltInWorld | PartialWorldJson
  /** Where the world is kept; `tab` when missing. */
  readonly persist?: Persist
  /** What it is kept under in the storage; by default `understudy`. */
  readonly key?: string
  /** Where the worker file is; `/mockServiceWorker.js` when missing. */
  readonly workerUrl?: string
  /** The pages that the worker answers, by where their addresses begin; the folder of the worker file when missing. */
  readonly scope?: string
  /** Handlers of yours, which are asked first. */
  readonly handlers?: readonly RequestHandler[]
  /** Whether MSW keeps from logging each request to the console. */
  readonly quiet?: boolean
  /**
   * Told of exceptions inside, of a storage that is full, and of what two tabs wrote at once; by default
   * console.error.
   */
  readonly onError?: (error: unknown) => void
}

const browserFields: Readonly<Record<Exclude<keyof BrowserOptions, keyof SimulatorOptions>, true>> =
  {
    persist: true,
    key: true,
    workerUrl: true,
    scope: true,
    handlers: true,
    quiet: true,
  }

/** The names of the options. */
export const browserOptionNames: readonly string[] = [...optionNames, ...Object.keys(browserFields)]
