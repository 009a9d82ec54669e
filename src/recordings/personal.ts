import { isKeyFieldName } from '../secrets/places.ts'

/** What is replaced: by it the replacement is named. */
export type PersonalDataKind = 'email' | 'key' | 'name' | 'person' | 'secret'

/** Values that are as good as a password, by the end of their field's name. */
const secretNamePattern =
  /(?:^|[_-]|(?<=[a-z]))(?:token|secret|password|passwd|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)$/i

/** Names of people, and what else leads to one of them. */
const personalNamePatterns: ReadonlyArray<readonly [RegExp, PersonalDataKind]> = [
  [/^(?:first|last|middle|full|given|family|display|user|nick)_?name$|^surname$/i, 'name'],
  [/^distinct_?id$|^phone(?:_?number)?$/i, 'person'],
  [/^e_?mail(?:_?address)?$/i, 'email'],
  [secretNamePattern, 'secret'],
]

/** What the value of a field is, by the field's name; null for one that may be told. */
export function personalDataKind(name: string): PersonalDataKind | null {
  if (isKeyFieldName(name)) return 'key'
  return personalNamePatterns.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** E-mail addresses wherever they stand. @note Looked for from the beginning of a word alone: a long one holds many. */
export const emailPattern: RegExp =
  /(?:(?<=\\[bfnrt])|(?<![\p{L}\p{N}._%+'-]|\\(?=[bfnrt])))[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu
