module clients

go 1.19
