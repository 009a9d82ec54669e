import { unexpectedValue } from '../utils/usage-error.ts'

const units: Readonly<Record<string, number>> = {
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
}

/** Parses a size such as `512MiB`. @returns bytes */
export function parseSize(text: string, source: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([A-Za-z]+)$/.exec(text) ?? []
  const bytes = Number(number) * (units[unit] ?? Number.NaN)
  if (bytes > 0) return bytes
  throw unexpectedValue(`read ${source}`, 'a size such as 512MiB or 1GiB', text)
}
