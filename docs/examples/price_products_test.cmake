# Runs price_products (-Dprogram) on the sample book and on files that are no book. Every place gives
# the digits that are printed; after a change of the numbers products_priced.csv and
# products_risk.txt are made anew by
# `price_products --host --paths=16384 products.csv curves.csv products_priced.csv > products_risk.txt`.
set(name price_products)
include(${CMAKE_CURRENT_LIST_DIR}/file_test.cmake)

file(READ ${CMAKE_CURRENT_LIST_DIR}/data/products_priced.csv priced)
file(READ ${CMAKE_CURRENT_LIST_DIR}/data/products_risk.txt risk)
set(sample ${CMAKE_CURRENT_LIST_DIR}/data/products.csv)
set(curves ${CMAKE_CURRENT_LIST_DIR}/data/curves.csv)
run(0 --help)
if(NOT printed MATCHES "^usage: price_products ")
  message(FATAL_ERROR "the help is\n${printed}")
endif()
run(0 --paths=16384 ${sample} ${curves} here.csv)
same("the risk" "${printed}" "${risk}")
file(READ ${out}/here.csv written)
same("what price_products writes" "${written}" "${priced}")
if(NOT said MATCHES "^1 of 15 rows\n.*\n15 of 15 rows\n$")
  message(FATAL_ERROR "the progress is\n${said}")
endif()

# One product, to the standard output; others beside it change its numbers by their group alone.
file(STRINGS ${sample} lines LIMIT_COUNT 2)
list(JOIN lines "\n" text)
file(WRITE ${out}/one.csv "${text}\n")
run(0 --host --paths=16384 one.csv ${curves})
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/data/products_priced.csv lines LIMIT_COUNT 2)
list(JOIN lines "\n" text)
string(FIND "${printed}" "${text}\ntotal,,," at)
same("where its line begins" "${at}" "0")

# A forward, whose risk is known: 100 exp(-0.02) (1 - exp(-2.32635 d - d^2 / 2)) = 10.83, where d is the
# deviation of ten days, 0.25 sqrt(10 / 252).
file(WRITE ${out}/one.csv "name,kind,assets,quantity,times,side,strike\nforward,european,note,1,1,forward,0\n")
run(0 --host --paths=16384 one.csv ${curves})
if(NOT printed MATCHES "value at risk 10\\.8")
  message(FATAL_ERROR "the forward's risk is\n${printed}")
endif()

# Nothing is written, and nothing is touched, if anything is wrong.
file(READ ${sample} text)
string(REPLACE "1 0.95 0.9,9 18 27" "1 0.95 0.9,9 18" text "${text}")
file(WRITE ${out}/bad.csv "${text}")
run(1 --host --paths=16384 bad.csv ${curves} new.csv)
same("what price_products prints" "${printed}" "")
same("the complaint" "${said}" "price_products: bad.csv:5:10: payments: there are 2 values, and not 3\n")
run(1 --host --paths=16384 bad.csv ${curves} here.csv)
file(READ ${out}/here.csv written)
same("what was there" "${written}" "${priced}")
# What only the library knows is refused with the line of the row.
file(WRITE ${out}/bad.csv "name,kind,assets,quantity,times,side,strike\nbig,european,note,1,1,call,1e300\n"
  "none,bermudan,note,1,1:2000000,put,9\n")
run(1 bad.csv ${curves} new.csv)
same("the complaint" "${said}" "price_products: bad.csv:3:5: times: '2000000' is not a count from 1 to 4096\n")
file(WRITE ${out}/bad_curves.csv "quantity,asset,value\nspot,a,1\nrate,a,-100000\nvolatility,a,1\n")
file(WRITE ${out}/bad.csv "name,kind,assets,quantity,times,side,strike\n\nbig,european,a,1,1,call,1\n")
run(1 bad.csv bad_curves.csv new.csv)
if(NOT said MATCHES "^price_products: bad.csv:3: big, or a row that is priced with it: ")
  message(FATAL_ERROR "the complaint is\n${said}")
endif()
file(WRITE ${out}/bad_curves.csv "quantity,asset,other,value\nspot,a,,1\nrate,a,,0\nvolatility,a,,x\n")
run(1 bad.csv bad_curves.csv new.csv)
same("the complaint" "${said}" "price_products: bad_curves.csv:4:4: value: 'x' is not a number\n")
run(1 --paths=100 one.csv ${curves} nowhere/new.csv) # before it prices
same("the complaint" "${said}" "price_products: nowhere/new.csv: No such file or directory\n")
run(1 --paths=100 one.csv ${curves} one.csv)
same("the complaint" "${said}" "price_products: one.csv: is read and cannot be written\n")
run(1 ${sample} missing.csv new.csv)
same("the complaint" "${said}" "price_products: missing.csv: No such file or directory\n")
run(2)
run(2 --paths=9 ${sample} ${curves})
run(2 --paths=0 ${sample} ${curves})
run(2 ${sample})
run(2 --paths=many ${sample} ${curves})
run(2 ${sample} ${curves} a b)
run(2 ${sample} ${curves} --gpu)
only_files(bad.csv bad_curves.csv here.csv one.csv)
