import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { JournalReader } from '../../sandbox/journal/journal-reader.ts'
import { openRouter, Router } from '../../sandbox/router.ts'
import { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { withSeed } from '../../sandbox/simulator-options.ts'
import type { SettingOverrides } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import type { ClockSetting } from '../../world/clock/clock.ts'
import type { BuiltInWorld } from '../../world/load/build-world.ts'
import { openWorld } from '../../world/load/load-world.ts'
import type { WorldJson } from '../../world/world-json.ts'

/** A simulator that can be copied, and says what its latest answer depends on. */
export class ComparedSimulator extends SimulatorBase {
  readonly journal: JournalReader
  #latest: JournalRecord | null = null

  private constructor(router: Router) {
    super(router, 0)
    this.journal = new JournalReader(router.sandbox, router.origin)
    router.sandbox.events.on('response', (record) => {
      this.#latest = record
    })
  }

  /** @throws UsageError for an invalid world */
  static open(
    world: WorldJson | BuiltInWorld,
    settings: SettingValues,
    {
      seed,
      clock,
    }: { readonly seed?: number | undefined; readonly clock?: ClockSetting | undefined },
  ): ComparedSimulator {
    const loaded = withSeed(openWorld(world, settings), seed)
    const options = { ...(clock !== undefined && { clock }), journal: { entries: 1 } }
    return new ComparedSimulator(openRouter(loaded, settings, options))
  }

  protected openInner(router: Router): ComparedSimulator {
    return new ComparedSimulator(router)
  }

  /** A copy with the same rows and other settings. */
  copy(values: SettingValues): ComparedSimulator {
    const { sandbox, router } = this
    const settings = values as SettingOverrides
    return new ComparedSimulator(
      new Router(sandbox.fork(sandbox.loaded, { settings }), router.base),
    )
  }

  get url(): string {
    return this.router.url
  }

  /** The operation of the latest request since the last call, and the ids of the settings that its answer depends on. */
  takeLatest(): { readonly operation: string | null; readonly used: ReadonlySet<string> } {
    const record = this.#latest
    this.#latest = null
    return { operation: record?.operation ?? null, used: new Set(record?.usedSettings) }
  }
}
