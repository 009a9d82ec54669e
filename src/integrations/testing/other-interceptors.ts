/** The part of an interceptor of MSW that is used. All libraries in a process that use them share one of each kind. */
interface Interceptor {
  readonly emitter?: {
    prependListener(event: 'request', listener: (event: RequestEvent) => void): unknown
  }
}

interface RequestEvent {
  readonly request: Request
  /** `readyState` is 0 until a listener responds */
  readonly controller: { readonly readyState: number }
}

/** The names of the global symbols under which the interceptors are. */
const interceptorNames = ['fetch-interceptor', 'client-request-interceptor', 'xhr-interceptor']

/** Whether a library intercepts requests with the interceptors of MSW, which leave these traces. */
export function hasInterceptors(): boolean {
  // That of msw 3.
  const registry: Map<unknown, { readonly readyState: string }> | undefined = Reflect.get(
    globalThis,
    '__MSW_INTERCEPTORS_REGISTRY',
  )
  const interceptors = [...(registry?.values() ?? [])]
  return (
    findInterceptors().length > 0 || interceptors.some(({ readyState }) => readyState === 'ACTIVE')
  )
}

/** Whether nock is one of these libraries. */
export function hasNock(): boolean {
  return globalSymbols().some(({ description }) => description === 'nock-interceptor')
}

/** Knows which requests another library answers, such as nock, before MSW gets them. */
export class OtherInterceptors {
  readonly #controllers = new WeakMap<Request, RequestEvent['controller']>()
  readonly #followed = new WeakSet<object>()

  /** Follows the interceptors that other libraries have applied so far. */
  follow(): void {
    for (const { emitter } of findInterceptors()) {
      if (!emitter?.prependListener || this.#followed.has(emitter)) continue
      this.#followed.add(emitter)
      emitter.prependListener('request', ({ request, controller }) => {
        this.#controllers.set(request, controller)
      })
    }
  }

  /** Whether another library has answered a request. */
  haveAnswered(request: Request): boolean {
    return (this.#controllers.get(request)?.readyState ?? 0) !== 0
  }
}

function findInterceptors(): Interceptor[] {
  return globalSymbols()
    .filter(({ description = '' }) => interceptorNames.includes(description))
    .flatMap((symbol) => (Reflect.get(globalThis, symbol) as Interceptor | undefined) ?? [])
}

const globalSymbols = (): symbol[] => Object.getOwnPropertySymbols(globalThis)
