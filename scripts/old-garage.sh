#!/bin/sh
# Writes the files of docs/moving-in.md into a folder: what an old program exports, with the faults that such files have.
# Usage: sh scripts/old-garage.sh FOLDER
set -eu
mkdir -p "$1"
cd "$1"

# From a spreadsheet: a byte order mark, semicolons, leading zeros, line breaks within cells, the ends of lines of Windows.
{
  printf '\357\273\277external_id;contact_kind;company_name;first_name;last_name;street;huisnummer;postcode;city;country_id;debtor_number;notes\r\n'
  printf 'C-0001;1;;Zoë;van den Berg;Lindelaan;7;3581 KL;Utrecht;1;000417;"Belt liever niet.\r\nMailt wel: ""zo snel mogelijk""."\r\n'
  printf 'C-0002;2;"Bakker; zonen";;;Kade;12;1011 AB;Amsterdam;1;000418;\r\n'
  printf 'C-0003;1;;Piet;;Dorpsstraat;3;9712CP;Groningen;1;000419;\r\n'
  printf 'C-0004;1;;Ans;de Wit;Kerkplein;vier;5211 JX;Den Bosch;1;000420;\r\n'
  printf 'C-0005;1;;Ans;de Wit;Kerkplein;4;5211 JX;Den Bosch;1;000418;\r\n'
} > contacts.csv

# From another program: commas, Dutch dates, a plate that is there twice, a parent that nobody knows.
cat > vehicles.csv <<'ROWS'
external_id,license_plate,vehicle_kind,make,model,stock_status,mileage,apk_expiry_date,sale_price
V-1,12-AB-34,1,Volvo,V70,1,187000,2027-03-31,
V-2,sx-tl-96,1,Opel,Corsa,2,45200,31-05-2027,7450.00
V-3,12AB34,1,Volvo,V70,1,187000,2027-03-31,
V-4,GB-001-B,1,Renault,Clio,2,88100,,"8.950,00"
ROWS

# Prices with decimal commas, and bytes that are not UTF-8: the é of an old code page.
{
  printf 'external_id;article_number;description;article_kind;unit_type;price;vat_code;turnover_group_external_id\n'
  printf 'A-1;007-1;Oliefilter;1;1;12,50;1;DELEN\n'
  printf 'A-2;007-2;Canap\351 reinigen;2;2;65,00;1;DELEN\n'
} > articles.csv

# What was paid, by an invoice's key. The second invoice was never paid.
cat > payments.csv <<'ROWS'
external_id,order_external_id,amount,paid_at,method
P-1,O-2019-17,311.58,2019-03-20,3
ROWS

# Old orders with their lines, one JSON object a line.
cat > orders.ndjson <<'ROWS'
{"external_id":"O-2019-17","order_number":417,"order_type":1,"order_date":"2019-03-01","created_at":"2019-03-01","invoice_number":"201900017","invoice_date":"2019-03-04","contact_external_id":"C-0001","vehicle_external_id":"V-1","orderline":[{"line_kind":2,"description":"Grote beurt","quantity":1,"price":245,"vat_code":1},{"line_kind":1,"article_external_id":"A-1","description":"Oliefilter","quantity":1,"price":12.5,"vat_code":1}]}
{"external_id":"O-2019-18","order_number":418,"order_type":1,"order_date":"2019-03-02","created_at":"2019-03-02","invoice_number":"201900018","invoice_date":"2019-03-05","contact_external_id":"C-0002","orderline":[{"line_kind":2,"description":"APK","quantity":1,"price":39.67,"vat_code":1}]}
ROWS
