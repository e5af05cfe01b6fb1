const EXTENSION = /\.ghx?$/i

/** Whether a file of this name is a definition. Grasshopper tells `.gh` and `.ghx` apart by what they hold, and so do we. */
export const isDefinitionName = (fileName: string): boolean => EXTENSION.test(fileName)

/** What a document is called: the file's name without its extension. */
export const withoutExtension = (fileName: string): string => fileName.replace(EXTENSION, '')

/** Hidden files and folders are left out: version control keeps its own there, and macOS a shadow of each file. */
export const isHidden = (fileName: string): boolean => fileName.startsWith('.')
