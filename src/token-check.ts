import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Whether a header Authorization holds a token. It takes as long for any other, so that nobody who can reach the
 * server learns by the time how far a guess is right.
 *
 * @example tokenCheck('secret')('Bearer secret') // true
 */
export function createTokenVerifier(token: string): (authorization: string | null) => boolean {
  const wanted = sha256(`Bearer ${token}`)
  return (authorization) => timingSafeEqual(sha256(authorization ?? ''), wanted)
}

/** Of one length, whatever is given. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
