import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** The part of CBOR (RFC 8949) that authenticators use. */
function encodeCbor(value: number | string | Uint8Array | unknown[] | Map<unknown, unknown>): Buffer {
  const head = (major: number, length: number): Buffer => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    if (length < 256) return Buffer.from([(major << 5) | 24, length])
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) {
    const parts = [...value].flat().map((part) => encodeCbor(part as never))
    return Buffer.concat([head(5, value.size), ...parts])
  }
  if (Array.isArray(value))
    return Buffer.concat([head(4, value.length), ...value.map((part) => encodeCbor(part as never))])
  return Buffer.concat([head(2, value.length), value])
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** A certificate of the make of an authenticator, as a maker would sign it, and its key: made for the tests. */
const MAKER = {
  certificate: Buffer.from(
    'MIIBpTCCAUugAwIBAgIBATAKBggqhkjOPQQDAjBSMQswCQYDVQQGEwJERTEPMA0GA1UEChMGTWVhZG93MSIwIAYDVQQLExlBdXRoZW50aWNhdG9y' +
      'IEF0dGVzdGF0aW9uMQ4wDAYDVQQDEwVUZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowUjELMAkGA1UEBhMCREUxDzANBgNV' +
      'BAoTBk1lYWRvdzEiMCAGA1UECxMZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEOMAwGA1UEAxMFVGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMB' +
      'BwNCAARPzZC9yBbfsgiS1f32U1B0wTrYAF6A75zwYFNvfjbxLmAZmWCzxjQHMYBMc6N9hVFTV9sV0uyPuv5THxLERX89oxAwDjAMBgNVHRMBAf8E' +
      'AjAAMAoGCCqGSM49BAMCA0gAMEUCIFlcunsRBo0x4JV02wNx+kfc1EwDNYcX1vow2mSpk0M4AiEA8alvza+Y/+71wbRS29nUIWbulGsgFoP04Psx' +
      'NU/+R38=',
    'base64',
  ),
  key: createPrivateKey({
    key: Buffer.from(
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv9zqlnOhGHWLrwQ60pUp/1RwtdKnCE5DlTG62jnSSZ+hRANCAARPzZC9yBbfsgiS' +
        '1f32U1B0wTrYAF6A75zwYFNvfjbxLmAZmWCzxjQHMYBMc6N9hVFTV9sV0uyPuv5THxLERX89',
      'base64',
    ),
    format: 'der',
    type: 'pkcs8',
  }),
}

/** What `startPasskey` and `startPasskeyUse` answer. */
export interface StartedCeremony {
  options: Record<string, unknown>
  ceremony: string
}

/** How an answer differs from that of a browser at the page of the passkey. */
export interface Deviations {
  /** The origin of the page. */
  origin?: string
  /** The host name that the passkey is for. */
  host?: string
  type?: string
  /** What the counter is set to first. */
  count?: number
  /** What the user did. */
  user?: 'verified' | 'present' | 'absent'
}

/** Who vouches for the make of a new passkey. */
export type Attestation = 'none' | 'self' | 'maker'

export type SoftwarePasskey = ReturnType<typeof createSoftwarePasskey>

/** A passkey with a key of its own (ES256) that answers as a browser would at a page of this origin. */
export function createSoftwarePasskey(pageOrigin: string, { counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  let counter = 0

  const clientData = (type: string, { options }: StartedCeremony, origin = pageOrigin) =>
    Buffer.from(JSON.stringify({ type, challenge: options.challenge, origin, crossOrigin: false }))

  function authenticatorData({ host, user = 'verified' }: Deviations, credential?: Uint8Array): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags =
      (user === 'absent' ? 0 : USER_PRESENT) |
      (user === 'verified' ? USER_VERIFIED : 0) |
      (credential ? HAS_CREDENTIAL : 0)
    const rest = credential ?? Buffer.alloc(0)
    return Buffer.concat([sha256(host ?? new URL(pageOrigin).hostname), Buffer.from([flags]), count, rest])
  }

  const toProof = ({ ceremony }: StartedCeremony, response: Record<string, unknown>) => ({
    ceremony,
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
  })

  return {
    id,
    /** The proof for `addPasskey`. */
    create(started: StartedCeremony, deviations: Deviations = {}, attestation: Attestation = 'none') {
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const maker = Buffer.alloc(16)
      const length = Buffer.from([0, credentialId.length])
      const authData = authenticatorData(
        deviations,
        Buffer.concat([maker, length, credentialId, encodeCbor(key)]),
      )
      const data = clientData(deviations.type ?? 'webauthn.create', started, deviations.origin)
      const statement = new Map<string, unknown>()
      if (attestation !== 'none') {
        const signer = attestation === 'self' ? privateKey : MAKER.key
        statement.set('alg', -7)
        statement.set('sig', sign('sha256', Buffer.concat([authData, sha256(data)]), signer))
        if (attestation === 'maker') statement.set('x5c', [MAKER.certificate])
      }
      const object = new Map<string, unknown>([
        ['fmt', attestation === 'none' ? 'none' : 'packed'],
        ['attStmt', statement],
        ['authData', authData],
      ])
      return toProof(started, {
        clientDataJSON: data.toString('base64url'),
        attestationObject: encodeCbor(object).toString('base64url'),
        transports: ['internal'],
      })
    },
    /** The proof for `giveSecondFactor` and `signInAgain`. */
    get(started: StartedCeremony, deviations: Deviations = {}) {
      const { type = 'webauthn.get', count = counter, origin } = deviations
      counter = counts ? count + 1 : 0
      const authData = authenticatorData(deviations)
      const data = clientData(type, started, origin)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)
      return toProof(started, {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}
