import { Redactor, type Replacement } from '../utils/redaction/redactor.ts'
import { replaceByForm } from '../utils/redaction/secrets.ts'
import { quoteForShell } from '../utils/text.ts'

const masks: Replacement = {
  hidesPersonalData: false,
  replace: () => '…',
  // A secret may span words: the whole line is searched at the end.
  replaceInText: (text) => text,
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
  return replaceByForm(words.map(quoteForShell).join(' '), false, (value, kind) =>
    kind === 'key' ? `${value.slice(0, 4)}…` : '…',
  )
}

/** @param before the word before it, which may be the flag that it is the value of */
function redactWord(word: string, before = '', redactor: Redactor): string {
  const isValue = /^--?[a-z][^=]*$/i.test(before) && !word.startsWith('-')
  if (isValue && redactor.isSecretName(before.replace(/^-+/, ''))) return '…'
  const [, dashes, name] = /^(-{0,2})([\w.-]+)=/.exec(word) ?? []
  if (name !== undefined && redactor.isSecretName(name)) return `${dashes}${name}=…`
  const [, header, colon, content = ''] = /^([\w-]+)(:\s+)(.*)$/s.exec(word) ?? []
  return header === undefined
    ? redactor.text(word)
    : header + colon + redactor.header(header, content)
}
