import type { Heard } from './target.ts'
import { unreachable } from './unreachable.ts'

/**
 * Waits for an answer and reads its body.
 *
 * @throws UnreachableError where no server was found
 */
export async function hear(url: string, answering: Promise<Response>): Promise<Heard> {
  let response: Response
  try {
    response = await answering
  } catch (error) {
    const none = unreachable(url, error)
    if (none) throw none
    return { status: 0, headers: new Headers(), text: '', broken: true }
  }
  const { status, headers } = response
  try {
    return { status, headers, text: await response.text(), broken: false }
  } catch {
    return { status, headers, text: '', broken: true }
  }
}
