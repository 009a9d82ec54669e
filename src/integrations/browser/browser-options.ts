import { type SimulatorOptions, simulatorOptions } from '../../simulator/options.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import type { PartialWorldJson } from '../../world/factories/partial-rows.ts'
import type { FixtureName } from '../../world/load/build-world.ts'
import type { Persist } from './persist-world.ts'

/** The options of `startInBrowser`. */
export interface BrowserOptions extends Omit<SimulatorOptions, 'world'> {
  /** The name of a fixture, or a world as JSON, which the factories can complete; default: `default` */
  readonly world?: FixtureName | PartialWorldJson
  /** Where the page stores the world; default: `tab` */
  readonly persist?: Persist
  /** The key of the storage item; default: `understudy` */
  readonly key?: string
  /** The URL of MSW's worker file; default: `/mockServiceWorker.js` */
  readonly workerUrl?: string
  /** The URL prefix of the pages that the worker controls; default: the folder of the worker file */
  readonly scope?: string
  /** Whether the console gets no line for each request */
  readonly quiet?: boolean
  /** Whether the console gets a warning for each mistake of the page; default: `print` */
  readonly mistakes?: 'off' | 'print'
  /** Whether the corner of the page has a button that opens the dashboard of the simulator; default: false */
  readonly panel?: boolean
  /** Called with exceptions from inside, and when the storage is full; default: `console.error` */
  readonly onError?: (error: unknown) => void
}

const browserSchema = optionsSchema<BrowserOptions>({
  ...simulatorOptions,
  persist: option.oneOf(['tab', 'none']),
  key: option.text,
  workerUrl: option.text,
  scope: option.text,
  quiet: option.flag,
  panel: option.flag,
  mistakes: option.oneOf(['off', 'print']),
})

/** @throws UsageError for options of another name or type */
export function checkBrowserOptions(options: BrowserOptions): void {
  checkOptions(browserSchema, options, 'start in the browser')
}
