import { quoteForShell } from '../utils/escape.ts'
import { Redactor, type Strategy } from '../utils/redaction/redactor.ts'
import { replaceByForm } from '../utils/redaction/secrets.ts'

const masks: Strategy = {
  hidesPersonalData: false,
  replace: () => '…',
  // A secret may span words: the whole line is searched at the end.
  replaceInText: (text) => text,
}

/**
 * Formats a command line for reports and files, quoted for a shell and without secrets: keys of the service, and values
 * of secret names, as in `--token=…`, `--password …`, `API_KEY=…` and `X-Api-Key: …`.
 *
 * @param added further names of secrets
 * @example redactCommand(['deploy', '--token', 'abc']) // 'deploy --token …'
 */
export function redactCommand(line: readonly string[], added: readonly string[] = []): string {
  const redactor = new Redactor(masks, added)
  const words = line.map((word, index) => {
    const before = line[index - 1] ?? ''
    const isFlag = /^--?[a-z][^=]*$/i.test(before)
    if (isFlag && !word.startsWith('-') && redactor.isSecretName(before)) return '…'
    const [, name = ''] = /^([^\s=]+)=/.exec(word) ?? []
    if (redactor.isSecretName(name)) return `${name}=…`
    const [, header = '', colon = '', value = word] = /^([\w-]+)(:\s+)(.*)$/s.exec(word) ?? []
    return quoteForShell(header + colon + redactor.header(header, value))
  })
  return replaceByForm(words.join(' '), false, (value, kind) =>
    kind === 'key' ? `${value.slice(0, 4)}…` : '…',
  )
}
