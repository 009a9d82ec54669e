import { UsageError } from '../usage-error.ts'

/**
 * The faults that a reader finds in one part of a scenario, each with its path from the whole on.
 *
 * @example faultsWithin('steps[2].clock', () => new Clock('noon')) // ['steps[2].clock: Failed to …']
 */
export function collectIssues(path: string, read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { issues, field, message } = error
    if (issues.length > 0) return issues.map((fault) => prefixIssuePath(path, fault))
    return [`${field === null ? path : `${path}.${field}`}: ${withoutTask(message)}`]
  }
}

/** A fault with the path of what it is in. */
function prefixIssuePath(path: string, fault: string): string {
  return /^[:[]/.test(fault) ? `${path}${fault}` : `${path}.${fault}`
}

/** What a message says besides what failed. */
function withoutTask(message: string): string {
  return message.replace(/^Failed to [^:]*: /, '').replace(/\.$/, '')
}
