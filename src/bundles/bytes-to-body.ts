import type { ExchangedBody } from '../recordings/exchange.ts'

/** Bytes as a text where they are one, else in base64. */
export function bytesToBody(bytes: Uint8Array): ExchangedBody {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { base64: toBase64(bytes) }
  }
}

/** Any bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let signs = ''
  for (const byte of bytes) signs += String.fromCharCode(byte)
  return btoa(signs)
}
