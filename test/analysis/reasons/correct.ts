import { listCorrections, type PlainRequest } from '../../../src/analysis/reasons/corrections.ts'
import type { ApiError } from '../../../src/http/failures.ts'
import { SimulatorBase } from '../../../src/sandbox/simulator-base.ts'

/** A request with the key `phx_all` and without a body, unless changed. */
export function plain(
  method: string,
  path: string,
  changes: Partial<PlainRequest> = {},
): PlainRequest {
  return { method, prefix: '', path, query: '', key: 'phx_all', body: undefined, ...changes }
}

/** The corrections of a request that failed, in a line each. */
export function correct(
  request: PlainRequest,
  failure: Partial<ApiError>,
  simulator: SimulatorBase,
): string[] {
  const error = { type: '', code: 'invalid', detail: '', attr: null, ...failure }
  const corrections = listCorrections(request, error, SimulatorBase.sandboxOf(simulator))
  return corrections.map(({ method, prefix, path, query, key, body }) =>
    [method, prefix + path, query && `?${query}`, `(${key})`, JSON.stringify(body)]
      .filter(Boolean)
      .join(' '),
  )
}
