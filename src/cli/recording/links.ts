import { escapeRegExp } from '../../escape-reg-exp.ts'

/** Leads addresses of the target to the proxy, as they stand in texts: plain, and with the slashes that JSON may have. */
export function createLinkRewriter(target: string, here: string): (text: string) => string {
  const [plain, escaped] = [target, target.replaceAll('/', '\\/')]
  const pattern = new RegExp(
    `(?:${escapeRegExp(plain)}|${escapeRegExp(escaped)})(?=[/?#"'\\\\<>\\s]|$)`,
    'g',
  )
  return (text) =>
    text.replace(pattern, (found) => (found === plain ? here : here.replaceAll('/', '\\/')))
}
