import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import { createHiddenServer } from './hidden-server.ts'

/** Answers a request in place of the server. Null leaves it to the server. A lost answer is one of a served request. */
export type Intercept = (
  method: string,
  path: string,
  number: number,
  key: string,
) => Response | null | { readonly lost: Response }

/** A server that writes down each request, with its key and its body, and the status of its answer. */
export function createLoggedServer(
  policies: PolicyOverrides = {},
  intercept: Intercept = () => null,
) {
  const simulator = createHiddenServer(policies)
  const sent: string[] = []
  const fetch = async (
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const { authorization, accept, ...headers } = init.headers as Record<string, string>
    const { pathname, search } = new URL(String(input))
    const key = authorization?.replace('Bearer ', '') ?? 'no key'
    const more = [...Object.values(headers), ...(init.body ? [String(init.body)] : [])]
    const request = [init.method, pathname + search, key, ...more].join(' ')
    const at = sent.push(request)
    const other = intercept(init.method ?? 'GET', pathname + search, at, key)
    const response = other instanceof Response ? other : await simulator.fetch(input, init)
    const answer = other === null || other instanceof Response ? response : other.lost
    sent[at - 1] = `${request} → ${answer.status}`
    return answer
  }
  return { simulator, sent, fetch }
}
