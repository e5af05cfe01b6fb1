/** The version of this package, which the service's log shows. */
export const VERSION = '0.1.0'
