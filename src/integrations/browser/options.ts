import type { RequestHandler } from 'msw'
import { optionNames, type SimulatorOptions } from '../../sandbox/simulator-options.ts'
import type { PartialWorldJson } from '../../world/factories/partial-rows.ts'
import type { BuiltInWorld } from '../../world/load/build-world.ts'

/**
 * Where a page stores its world. `tab`: in the `sessionStorage` of the tab, so that each tab has its own world until
 * it is closed. `none`: nowhere, so that each reload starts with a new world.
 */
export type Persist = 'tab' | 'none'

/** The options of `startInBrowser`. */
export interface BrowserOptions extends Omit<SimulatorOptions, 'world' | 'neighbours'> {
  /** The name of a built-in world, or a world as JSON, which the factories can complete; default: `default` */
  readonly world?: BuiltInWorld | PartialWorldJson
  /** Where the page stores the world; default: `tab` */
  readonly persist?: Persist
  /** The key of the storage item; default: `understudy` */
  readonly key?: string
  /** The URL of MSW's worker file; default: `/mockServiceWorker.js` */
  readonly workerUrl?: string
  /** The URL prefix of the pages that the worker controls; default: the folder of the worker file */
  readonly scope?: string
  /** Additional MSW handlers. They run before the handlers of the simulator. */
  readonly handlers?: readonly RequestHandler[]
  /** Whether MSW logs no requests to the console */
  readonly quiet?: boolean
  /** Called with exceptions from inside, and when the storage is full; default: `console.error` */
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

export const browserOptionNames: readonly string[] = [
  ...optionNames.filter((name) => name !== 'neighbours'),
  ...Object.keys(browserFields),
]
