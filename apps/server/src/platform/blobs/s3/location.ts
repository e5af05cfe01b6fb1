/** Where a part of a bucket is, without the keys to it. */
export interface S3Location {
  kind: 's3'
  /** The address of the service, with `http:` or `https:` and without a closing slash. */
  endpoint: string
  region: string
  bucket: string
  /** The beginning of all keys, with a slash at its end, or an empty string. */
  prefix: string
  /** Whether the bucket is part of the host name, or of the path. */
  style: 'host' | 'path'
}

/** What a process needs to use a bucket in addition to its location. */
export interface S3Access {
  /** The keys; `instance` stands for those that the machine, container or pod is given. */
  keys: S3Keys | 'instance'
  /** The absolute path of a folder in which files that are too large for memory are kept while they are stored. */
  spoolFolder: string
  /** The file of authorities that the operator added to those of Node: its `NODE_EXTRA_CA_CERTS`. */
  authorities?: string
}

export interface S3Keys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/
const PREFIX = /^([A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/
const REGION = /^[A-Za-z0-9-]{1,64}$/
const PARAMETERS = ['endpoint', 'region', 'style']

/**
 * Reads the location that an address such as `s3://bucket/prefix?endpoint=https://…&region=…&style=path` names; undefined
 * when it names none. Without an endpoint it is a bucket of AWS, whose region has to be named.
 */
export function readS3Location(url: URL): S3Location | undefined {
  const { searchParams: parameters, username, password, hash, port } = url
  const bucket = decodeURIComponent(url.hostname)
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '').replace(/.$/, '$&/')
  if (username || password || hash || port || !BUCKET.test(bucket) || !PREFIX.test(prefix)) return undefined
  if ([...parameters.keys()].some((name) => !PARAMETERS.includes(name))) return undefined
  const [given, region, style] = PARAMETERS.map((name) => parameters.get(name) ?? undefined)
  const endpoint = given === undefined ? awsEndpoint(region) : readEndpoint(given)
  if (endpoint === undefined || (region !== undefined && !REGION.test(region))) return undefined
  if (style !== undefined && style !== 'path' && style !== 'host') return undefined
  return {
    kind: 's3',
    endpoint,
    region: region ?? 'us-east-1',
    bucket,
    prefix,
    // A name with dots or capitals does not match the certificate, or is not a valid host name.
    style: style ?? (given === undefined && /^[a-z0-9-]+$/.test(bucket) ? 'host' : 'path'),
  }
}

const awsEndpoint = (region: string | undefined) => region && `https://s3.${region}.amazonaws.com`

function readEndpoint(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return undefined
  return url.search || url.hash ? undefined : url.href.replace(/\/+$/, '')
}

/** Returns the text that {@link readS3Location} reads, which is equal for equal locations. */
export function writeS3Location({ endpoint, region, bucket, prefix, style }: S3Location): string {
  const parameters = new URLSearchParams({ endpoint, region, style })
  return `s3://${bucket}/${prefix.slice(0, -1)}?${parameters}`
}

/** Returns the address of an object, or of the bucket when `key` is empty. */
export function addressOf({ endpoint, bucket, style }: S3Location, key: string): URL {
  const url = new URL(endpoint)
  if (style === 'host') url.host = `${bucket}.${url.host}`
  const folder = url.pathname.replace(/\/$/, '')
  url.pathname = style === 'host' ? `${folder}/${key}` : `${folder}/${bucket}${key && '/'}${key}`
  return url
}
