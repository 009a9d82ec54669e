import { UserHandlers } from '../../adapters/user-handlers.ts'
import { type ApiResponse, bodyText } from '../../http/messages.ts'
import { queryString, requestTarget, toBaseUrl } from '../../http/url.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { JournalReader } from '../../simulator/journal/journal-reader.ts'
import { withSeed } from '../../simulator/options.ts'
import { Service } from '../../simulator/service.ts'
import { State } from '../../simulator/state.ts'
import { Clock, type ClockSetting } from '../../world/clock/clock.ts'
import type { BuiltInWorld } from '../../world/load/build-world.ts'
import { openWorld } from '../../world/load/load-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { type ReceivedResponse, readResponse, type Sender, type SentRequest } from './sender.ts'
import { createLocalSender } from './simulator-sender.ts'

/** A simulator that is fast, and has a short memory. */
export class QuickSimulator extends Service {
  readonly journal: JournalReader

  constructor(state: State) {
    super(state, {
      base: toBaseUrl('*'),
      userHandlers: new UserHandlers([]),
      explains: false,
      limit: 0,
    })
    this.journal = new JournalReader(state)
  }

  /** @throws UsageError for an invalid world */
  static from(
    world: WorldJson | BuiltInWorld,
    settings: SettingValues,
    {
      seed,
      clock,
    }: { readonly seed?: number | undefined; readonly clock?: ClockSetting | undefined },
  ): QuickSimulator {
    const loaded = withSeed(openWorld(world, settings), seed)
    return new QuickSimulator(
      new State({
        ...{ loaded, settings, onError: console.error },
        clock: new Clock(clock),
        journal: { entries: 1 },
        skipsDelays: true,
      }),
    )
  }

  protected open(state: State): QuickSimulator {
    return new QuickSimulator(state)
  }

  /** The sender of steps. A label that the world lacks is that of a key that the service does not know, either. */
  async sender(): Promise<Sender> {
    const sender = await createLocalSender(this, this.url)
    return {
      ...sender,
      // The rows may have been restored since the sender saw them.
      key: (label) => this.#key(label) ?? sender.key(label) ?? `unknown-${label}`,
      send: (request) => this.send(request),
    }
  }

  #key(label: string): string | undefined {
    return this.keys.list().find((key) => key.label === label)?.value
  }

  /** Sends a request. The objects of fetch are left out: making them would take most of the time. */
  async send({ method, url, headers, body }: SentRequest): Promise<ReceivedResponse> {
    const isRead = method === 'GET' || method === 'HEAD'
    // Fetch refuses a body.
    if (isRead && body !== undefined) {
      return readResponse(url, this.fetch(url, { method, headers, body }))
    }
    const sent = new Headers(headers)
    if (typeof body === 'string' && !sent.has('content-type')) sent.set('content-type', plainText)
    const response = await this.#answer(method, new URL(url).href, sent, body)
    const broken = response.status === 0 || response.cutAfter !== undefined
    const text = method === 'HEAD' || broken ? '' : bodyText(response.body)
    return { status: response.status, headers: new Headers(response.headers), text, broken }
  }

  async #answer(
    method: string,
    url: string,
    headers: Headers,
    body: SentRequest['body'],
  ): Promise<ApiResponse> {
    const match = this.match(url, { url, headers })
    if (!match) return this.notFound(method, { url, headers })
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? null)
    const isOmitted = bytes !== null && bytes.length > match.bodyLimit
    return match.handle({
      ...{ method, url, headers, target: requestTarget(url), query: queryString(url) },
      body: isOmitted ? { omitted: bytes.length } : bytes,
    })
  }
}

/** What fetch says of a text. */
const plainText = 'text/plain;charset=UTF-8'
