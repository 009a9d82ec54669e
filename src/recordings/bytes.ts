import type { ExchangedBody } from './exchange.ts'

/** Bytes as a text where they are one, else in base64. */
export function bytesToExchangedBody(bytes: Uint8Array): ExchangedBody {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { base64: encodeBase64(bytes) }
  }
}

/** The bytes of a text in base64. */
export function encodeTextBase64(text: string): string {
  return encodeBase64(new TextEncoder().encode(text))
}

/** What stands in base64. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
}

/** Any bytes in base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let signs = ''
  for (const byte of bytes) signs += String.fromCharCode(byte)
  return btoa(signs)
}
