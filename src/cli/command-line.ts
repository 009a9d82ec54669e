import { applyEdits } from '../utils/redaction/decoded.ts'
import { Redactor } from '../utils/redaction/redactor.ts'
import { findSecrets, type Replacement } from '../utils/redaction/scanner.ts'
import { quoteForShell } from '../utils/text.ts'
import { flagsOf } from './flags.ts'

const masks: Replacement = {
  // A secret may span words: the whole line is searched at the end.
  finds: 'names',
  replace: () => '…',
  number: () => '"…"',
}

/**
 * Formats a command line for reports and files, quoted for a shell and without secrets: keys of the service, and values
 * of secret names, as in `--token=…`, `--password …`, `API_KEY=…` and `X-Api-Key: …`. It reads no scripts of a shell.
 *
 * @param added further names of secrets
 * @example redactCommand(['deploy', '--token', 'abc']) // 'deploy --token …'
 */
export function redactCommand(line: readonly string[], added: readonly string[] = []): string {
  const redactor = new Redactor(masks, added)
  const words = line.map((word, index) => redactWord(word, line[index - 1], redactor))
  const text = words.map(quoteForShell).join(' ')
  return applyEdits(text, findSecrets(text, { ...masks, finds: 'secrets' }, null))
}

/** Hides the secrets of a message, such as the password of a URL that a flag got. */
export function redactMessage(message: string): string {
  return new Redactor({ ...masks, finds: 'secrets' }).text(message)
}

/** @param before the word before it, which may be the flag that it is the value of */
function redactWord(word: string, before = '', redactor: Redactor) {
  const isValue = /^--?[a-z][^=]*$/i.test(before) && !word.startsWith('-')
  if (isValue && redactor.isSecretName(before.replace(/^-+/, ''))) return '…'
  const [, dashes, name] = /^(-{0,2})([\w.-]+)=/.exec(word) ?? []
  if (name !== undefined && redactor.isSecretName(name)) return `${dashes}${name}=…`
  const [, header, colon, content = ''] = /^([\w-]+)(:\s+)(.*)$/s.exec(word) ?? []
  return header === undefined
    ? redactor.text(word)
    : header + colon + redactor.header(header, content)
}

/** The flags that decide what is served. `exec` has them, too. */
const servedFlags = Object.keys(flagsOf('sweep')).filter(
  (name) => !/^--(report|redact|token) /.test(name),
)

/**
 * The flags with which `exec` serves what `sweep` did, quoted for a shell.
 *
 * @param words the command line before the command
 * @example execFlags(['--jobs', '1', '--profile', 'live']) // ['--profile live']
 */
export function execFlags(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const [flag, value] = word.split('=', 2)
    const served = servedFlags.find((name) => name.split(' ')[0] === flag)
    if (served === undefined) return []
    const count = value !== undefined || !served.includes('<') ? 1 : 2
    const flags = words.slice(index, index + count)
    return flags.map(quoteForShell).join(' ')
  })
}
