import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AwsClient } from 'aws4fetch'

export type S3Credentials = {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** Files in a folder. A file appears under its name once it is whole and on disk. */
export function folderStorage(folder: string) {
  return {
    async has(name: string): Promise<boolean> {
      return stat(join(folder, name)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false
          throw error
        },
      )
    },
    async put(name: string, content: Buffer): Promise<void> {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      const partial = `${path}.partial`
      const file = await open(partial, 'w')
      try {
        await file.writeFile(content)
        await file.sync()
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      } finally {
        await file.close()
      }
      await rename(partial, path)
    },
  }
}

/**
 * Objects in a bucket of Amazon S3, or of a service that speaks its protocol at `endpoint`, addressed by path and signed
 * with AWS Signature Version 4.
 */
export function s3Storage(options: {
  bucket: string
  prefix: string
  region: string
  endpoint: string | null
  credentials: S3Credentials
}) {
  const { bucket, prefix, region, credentials } = options
  const endpoint = (options.endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')
  const client = new AwsClient({ ...credentials, service: 's3', region, retries: 3 })
  const addressOf = (name: string) =>
    `${endpoint}/${[bucket, ...prefix.split('/').filter(Boolean), ...name.split('/')].map(encodeURIComponent).join('/')}`
  return {
    async has(name: string): Promise<boolean> {
      const { status } = await client.fetch(addressOf(name), { method: 'HEAD' })
      if (status === 200) return true
      if (status === 404) return false
      throw new Error(
        `The bucket ${bucket} answered ${status} for ${name}. Check the bucket’s name, the region and the credentials.`,
      )
    },
    async put(name: string, content: Buffer): Promise<void> {
      const response = await client.fetch(addressOf(name), {
        method: 'PUT',
        body: new Uint8Array(content),
        headers: { 'content-type': 'application/vnd.apache.parquet' },
      })
      const text = response.ok ? '' : await response.text()
      // Only the code: the rest of the message may contain the access key id.
      const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1]
      if (!response.ok)
        throw new Error(`The bucket ${bucket} refused ${name}: ${response.status}${code ? ` ${code}` : ''}.`)
    },
  }
}
