import type { StepResult } from '../scenarios/run/result.ts'
import { quoteForShell } from '../utils/escape.ts'
import { KeyRedactor } from '../utils/redaction/mask.ts'
import { Redactor, type Strategy } from '../utils/redaction/redactor.ts'
import { replaceByForm } from '../utils/redaction/secrets.ts'
import type { KeyFlags } from './flags.ts'

/**
 * Returns a function that masks what a service repeated of secrets: the keys of `--key`, and other secrets by their names
 * and their form.
 */
export function stepMasker(
  { key, keys = {} }: KeyFlags,
  redact?: readonly string[],
): (step: StepResult) => StepResult {
  const redactor = new KeyRedactor([key ?? [], Object.values(keys)].flat(), redact)
  return (step) => {
    const masked = redactor.json(step) as StepResult
    const differences = masked.differences.map((difference) => {
      const { got, path, inWords } = difference
      return inWords ? difference : { ...difference, got: redactor.part(got, path) }
    })
    return { ...masked, differences }
  }
}

const masks: Strategy = {
  hidesPersonalData: false,
  replace: () => '…',
  // A secret may span words: the whole line is searched at the end.
  replaceInText: (text) => text,
}

/**
 * Formats a command line for reports and files, quoted for a shell and without secrets: keys of the service, and values
 * of secret names, as in `--token=…`, `--password …`, `API_KEY=…`, `X-Api-Key: …` and `--user name:…`. It finds them in
 * the scripts of a shell, too.
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
  if (isValue && redactor.isSecretName(before)) return '…'
  if (/^(?:-u|--(?:proxy-)?user)$/.test(before)) return word.replace(/(?<=:)(?!\d+$).+/s, '…')
  if (/^-[a-z]*c$/.test(before)) return redactScript(word, redactor)
  // --name=value, NAME=value, and as curl joins them: -Hvalue and -uvalue
  const [, flag, sign = '', value = ''] =
    /^(-{0,2}[\w.-]+)(=)(.*)$/s.exec(word) ?? /^(-[Hu])()(.+)$/s.exec(word) ?? []
  if (flag !== undefined) {
    if (sign !== '' && redactor.isSecretName(flag)) return `${flag}=…`
    return flag + sign + redactWord(value, flag, redactor)
  }
  // Without a space it is a header only after a flag that says so: npm run auth:login.
  const isHeader = /^(?:-H|--(?:proxy-)?header)$/.test(before)
  const [, header, colon = '', content = ''] = /^([\w-]+)(:\s*)(.*)$/s.exec(word) ?? []
  if (header && (isHeader || colon !== ':'))
    return header + colon + redactor.header(header, content)
  const text = redactor.text(word)
  return /\s/.test(text) ? redactScript(text, redactor) : text
}

/** The words of a script, with the spaces and operators between them. */
const scriptParts = /\s+|[;|&()<>]+|(?:[^\s;|&()<>"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+|["'\\]/gs

function redactScript(script: string, redactor: Redactor): string {
  let before = ''
  return script.replace(scriptParts, (part) => {
    if (/^\s/.test(part)) return part
    const word = part.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, '$1$2$3')
    const redacted = redactWord(word, before, redactor)
    before = word
    return redacted === word ? part : quoteForShell(redacted)
  })
}
