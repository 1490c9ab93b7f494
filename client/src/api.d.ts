// Made by `npm run client` from the description of the API 086c8a4e5e0a6c1a. Do not edit.
