export { type DownloadedFile, type DownloadFileOptions, downloadFile } from './download-file.ts'
export { createFileCache, type FileCacheOptions } from './file-cache.ts'
